import { createHmac, randomUUID } from 'node:crypto';
import { readBooking } from '#contract/bookings/bookings.ts';
import { readListing, type Listing } from '#contract/catalog/catalog.ts';
import { createPaymentIntent, recordPayment } from '#contract/money/payments.ts';
import { STANDIN_SECRET_KEY, STANDIN_WEBHOOK_SECRET } from '#standins/stripe/keys.ts';
import type { TestApp } from './app.ts';
import { aBooking, aBuyer, aListing, aSeller, type TestUser } from './make.ts';
import { confirmCard } from './money/pay.ts';

/** A buyer's booking of a copy. */
export interface Deal {
  readonly buyer: TestUser;
  readonly seller: TestUser;
  readonly copy: Listing;
  readonly bookingId: string;
}

export const GOOD_CARD = '4242424242424242';
export const DECLINED_CARD = '4000000000000002';

/** An unpaid booking that holds a copy of its own at $7.50, unless `parts` say otherwise. */
export const aDeal = async (
  t: TestApp,
  parts: { buyer?: TestUser; seller?: TestUser; category?: string; price?: string } = {},
): Promise<Deal> => {
  const [buyer, seller] = await Promise.all([parts.buyer ?? aBuyer(t), parts.seller ?? aSeller(t)]);
  const copy = await aListing(t, seller, {
    ...(parts.category !== undefined && { category_id: parts.category }),
    ...(parts.price !== undefined && { resale_price: parts.price }),
  });
  return { buyer, seller, copy, bookingId: await aBooking(t, buyer, copy) };
};

export const askForIntent = (t: TestApp, { buyer, bookingId, copy }: Deal, headers: Record<string, string> = {}) =>
  t.call(createPaymentIntent, { body: { price: copy.resale_price, bookingId } }, { as: buyer, headers });

export const recordPaid = (t: TestApp, deal: Deal, transactionId: string, headers: Record<string, string> = {}) => {
  const { buyer, bookingId, copy } = deal;
  const body = { price: copy.resale_price, transactionId, email: buyer.email, bookingId };
  return t.call(recordPayment, { body }, { as: buyer, headers });
};

/** The intent of a client secret. */
export const intentIdOf = (clientSecret: string): string => clientSecret.split('_secret')[0] ?? '';

/**
 * Asks for the intent of a deal and confirms it with a card, as the payment page does; answers its id. The shop is not
 * told.
 */
export const payAtProvider = async (t: TestApp, deal: Deal, card = GOOD_CARD): Promise<string> => {
  const { clientSecret } = (await askForIntent(t, deal)).body;
  await confirmCard(t.standinUrl, clientSecret, card);
  return intentIdOf(clientSecret);
};

/** A deal that is paid and told; answers the intent's id too. */
export const aSale = async (t: TestApp, parts: Parameters<typeof aDeal>[1] & { card?: string } = {}) => {
  const deal = await aDeal(t, parts);
  const intentId = await payAtProvider(t, deal, parts.card);
  const recorded = await recordPaid(t, deal, intentId);
  if (recorded.status !== 200) throw new Error(`not paid: ${JSON.stringify(recorded.body)}`);
  return { ...deal, intentId };
};

/** Delivers an event of the provider with a good signature; `object` is what it speaks of. */
export const deliver = (t: TestApp, type: string, object: { id: string } & Record<string, unknown>, id?: string) => {
  const eventId = id ?? `evt_${randomUUID().replaceAll('-', '')}`;
  const body = JSON.stringify({ id: eventId, object: 'event', type, data: { object } });
  const at = Math.floor(Date.now() / 1000);
  const signature = createHmac('sha256', STANDIN_WEBHOOK_SECRET).update(`${at}.${body}`).digest('hex');
  const headers = { 'content-type': 'application/json', 'stripe-signature': `t=${at},v1=${signature}` };
  return t.send('POST', '/api/webhooks/stripe', { body, headers });
};

/** What the provider says of an intent, delivered as an event. */
export const deliverIntent = (t: TestApp, type: string, intentId: string, id?: string) =>
  deliver(t, type, { id: intentId, object: 'payment_intent' }, id);

/** Does at the provider what only banks and operators do there: the stand-in's own controls and Stripe's API. */
export const atProvider = async (
  t: TestApp,
  path: string,
  body: Record<string, string | number | boolean>,
  form = false,
) => {
  const answer = await fetch(new URL(path, t.standinUrl), {
    method: 'POST',
    headers: { authorization: `Bearer ${STANDIN_SECRET_KEY}`, ...(!form && { 'content-type': 'application/json' }) },
    body: form
      ? new URLSearchParams(Object.entries(body).map(([name, value]) => [name, String(value)]))
      : JSON.stringify(body),
  });
  return (await answer.json()) as Record<string, unknown>;
};

export const bookingOf = async (t: TestApp, { bookingId, buyer }: Pick<Deal, 'bookingId' | 'buyer'>) =>
  (await t.call(readBooking, { params: { id: bookingId } }, { as: buyer })).body;

export const copyOf = async (t: TestApp, { copy }: Pick<Deal, 'copy'>) =>
  (await t.call(readListing, { params: { id: copy._id } })).body;

/** Lets the hold of a booking run out. */
export const lapse = (t: TestApp, { bookingId }: Pick<Deal, 'bookingId'>) =>
  t.db
    .updateTable('holds')
    .set({ expires_at: new Date(0) })
    .where('booking_id', '=', bookingId)
    .execute();

/** For the shop's own work in tests: what fails there fails the test. */
export const failing = (error: unknown): never => {
  throw error;
};
