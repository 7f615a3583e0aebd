import { setTimeout as sleep } from 'node:timers/promises';
import type Stripe from 'stripe';
import { confirmForm } from '#standins/stripe/confirm-form.ts';
import { FAULTS_HEADER } from '#standins/stripe/faults.ts';
import { STANDIN_PUBLISHABLE_KEY, STANDIN_SECRET_KEY } from '#standins/stripe/keys.ts';

/** What the provider knows. */
export interface ProviderBooks {
  readonly intents: readonly Stripe.PaymentIntent[];
  readonly charges: readonly Stripe.Charge[];
  readonly refunds: readonly Stripe.Refund[];
  readonly disputes: readonly Stripe.Dispute[];
  readonly transfers: readonly Stripe.Transfer[];
  readonly eventIds: ReadonlySet<string>;
}

export type Provider = ReturnType<typeof providerAt>;

const PAGE = 100;
const TRIES = 3;
const TRY_AGAIN_MS = 200;

/**
 * The stand-in as the run sees it: its books, its controls, and the browser's way to pay. What the run itself asks
 * meets no faults, and is asked again when the connection broke; so each of these may safely be done twice.
 */
export const providerAt = (url: string) => {
  const asMerchant = { Authorization: `Bearer ${STANDIN_SECRET_KEY}`, [FAULTS_HEADER]: 'off' };

  const ask = async <Answer>(
    method: 'GET' | 'POST',
    path: string,
    options: { body?: string | URLSearchParams; key?: string } = {},
  ): Promise<{ status: number; body: Answer }> => {
    const headers = { ...asMerchant, ...(options.key !== undefined && { 'Idempotency-Key': options.key }) };
    for (let n = 1; ; n += 1) {
      try {
        const answer = await fetch(`${url}/${path}`, { method, headers, ...(options.body && { body: options.body }) });
        return { status: answer.status, body: (await answer.json()) as Answer };
      } catch (error) {
        if (n === TRIES) throw new Error(`The stand-in does not answer ${method} /${path}`, { cause: error });
        await sleep(TRY_AGAIN_MS);
      }
    }
  };

  const all = async <Row extends { id: string }>(kind: string): Promise<Row[]> => {
    const rows: Row[] = [];
    for (;;) {
      const after = rows.at(-1)?.id;
      const query = `limit=${PAGE}${after === undefined ? '' : `&starting_after=${after}`}`;
      const { body } = await ask<{ data: Row[]; has_more: boolean }>('GET', `v1/${kind}?${query}`);
      rows.push(...body.data);
      if (!body.has_more) return rows;
    }
  };

  /** The stand-in's own API: tells where there is no body, does where there is one. */
  const control = (path: string, body: object | undefined) =>
    body === undefined
      ? ask<Record<string, unknown>>('GET', path)
      : ask<Record<string, unknown>>('POST', path, { body: JSON.stringify(body) });

  return {
    url,
    control,
    readBooks: async (): Promise<ProviderBooks> => {
      // Events last: an event of something that is missing above would only be too new.
      const [intents, charges, refunds, disputes, transfers] = [
        await all<Stripe.PaymentIntent>('payment_intents'),
        await all<Stripe.Charge>('charges'),
        await all<Stripe.Refund>('refunds'),
        await all<Stripe.Dispute>('disputes'),
        await all<Stripe.Transfer>('transfers'),
      ];
      const events = await all<Stripe.Event>('events');
      const notices = (await control('notices', undefined)).body['ids'] as readonly string[];
      return {
        intents,
        charges,
        refunds,
        disputes,
        transfers,
        eventIds: new Set([...events.map(({ id }) => id), ...notices]),
      };
    },
    /**
     * Pays as Stripe.js does in a browser. Answers the intent's status, `declined`, or undefined when no answer came.
     */
    confirm: async (clientSecret: string, card: string): Promise<string | undefined> => {
      const { path, body: form } = confirmForm(clientSecret, card);
      try {
        const answer = await fetch(`${url}/${path}`, { method: 'POST', body: form });
        const body = (await answer.json()) as { status?: string; error?: { payment_intent?: { status?: string } } };
        if (answer.ok) return body.status;
        return answer.status === 402 ? 'declined' : body.error?.payment_intent?.status;
      } catch {
        return undefined;
      }
    },
    /** What the browser sees of an intent. */
    statusOf: async (clientSecret: string): Promise<string | undefined> => {
      const id = clientSecret.split('_secret')[0] ?? '';
      const query = new URLSearchParams({ key: STANDIN_PUBLISHABLE_KEY, client_secret: clientSecret });
      try {
        return ((await (await fetch(`${url}/v1/payment_intents/${id}?${query}`)).json()) as { status?: string }).status;
      } catch {
        return undefined;
      }
    },
    /** A refund made at the provider, past the shop. */
    refund: async (intentId: string): Promise<void> => {
      await ask('POST', 'v1/refunds', {
        body: new URLSearchParams({ payment_intent: intentId }),
        key: `past-the-shop:${intentId}`,
      });
    },
    /** The bank decides about the disputed payment of an intent. */
    decideDispute: async (intentId: string, status: 'lost' | 'won'): Promise<void> => {
      const { body } = await ask<{ data: { id: string }[] }>('GET', `v1/disputes?payment_intent=${intentId}`);
      const [dispute] = body.data;
      if (dispute !== undefined) await control(`disputes/${dispute.id}/close`, { status });
    },
  };
};
