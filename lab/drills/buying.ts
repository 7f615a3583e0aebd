import { randomUUID } from 'node:crypto';
import type { Copy, Person } from '#lab/proofs/crowd/people.ts';
import type { Provider } from '#lab/proofs/crowd/provider.ts';
import { bookingBody } from '#lab/proofs/crowd/rush.ts';
import { GOOD_CARD } from '#lab/proofs/crowd/shopper.ts';
import type { Answered, Client } from './client.ts';
import { sleep } from './drill.ts';

/** How a purchase ended: paid, or at which step it did not go on, and why. */
export type Purchase = { readonly paid: string } | { readonly step: string; readonly answered: Answered | undefined };

const TOKEN_LASTS_MS = 300_000;

const idIn = ({ body }: Answered, name: string): string => {
  const value = (JSON.parse(body || '{}') as Record<string, unknown>)[name];
  return typeof value === 'string' ? value : '';
};

/** People who buy over a client, every step tried once: a step that fails is a failed purchase. */
export const createBuyers = (client: Client, provider: Provider) => {
  const tokens = new Map<string, { token: string; until: number }>();

  const tokenOf = async (buyer: Person): Promise<string | Answered> => {
    const known = tokens.get(buyer.id);
    if (known !== undefined && known.until > performance.now()) return known.token;
    const path = `/api/jwt?email=${encodeURIComponent(buyer.email)}`;
    const answered = await client.ask({ path, headers: { cookie: buyer.cookie } });
    if (answered.status !== 200) return answered;
    const token = idIn(answered, 'accessToken');
    tokens.set(buyer.id, { token, until: performance.now() + TOKEN_LASTS_MS });
    return token;
  };

  const post = async (buyer: Person, path: string, body: object): Promise<Answered> => {
    const token = await tokenOf(buyer);
    if (typeof token !== 'string') return token;
    // As the page does: each wish for a copy has a key of its own.
    const key: Record<string, string> = path === '/bookings' ? { 'idempotency-key': randomUUID() } : {};
    const headers = { authorization: `Bearer ${token}`, ...key };
    return client.ask({ method: 'POST', path: `/api${path}`, headers, body });
  };

  return {
    /** The access token of a buyer, or how asking for it ended. */
    tokenOf,
    book: (buyer: Person, copy: Copy): Promise<Answered> => post(buyer, '/bookings', bookingBody(buyer, copy)),

    /** Books, pays with a good card and records the payment, with a moment between as people need. */
    buy: async (buyer: Person, copy: Copy, thinkMs = 0): Promise<Purchase> => {
      const price = copy.priceCents / 100;
      const booked = await post(buyer, '/bookings', bookingBody(buyer, copy));
      if (booked.status !== 201) return { step: 'POST /api/bookings', answered: booked };
      const bookingId = idIn(booked, 'insertedId');
      await sleep(thinkMs);
      const asked = await post(buyer, '/create-payment-intent', { price, bookingId });
      if (asked.status !== 200) return { step: 'POST /api/create-payment-intent', answered: asked };
      const secret = idIn(asked, 'clientSecret');
      if ((await provider.confirm(secret, GOOD_CARD)) !== 'succeeded') return { step: 'the card', answered: undefined };
      await sleep(thinkMs);
      const intent = secret.split('_secret')[0] ?? '';
      const body = { price, transactionId: intent, email: buyer.email, bookingId };
      const recorded = await post(buyer, '/payments', body);
      if (recorded.status !== 200) return { step: 'POST /api/payments', answered: recorded };
      return { paid: bookingId };
    },
  };
};
