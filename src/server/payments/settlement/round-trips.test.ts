import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPaymentIntent } from '#contract/money/payments.ts';
import { signatureHeader } from '#standins/stripe/api/webhook-signature.ts';
import { STANDIN_WEBHOOK_SECRET } from '#standins/stripe/keys.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { countRoundTrips, type CountedDatabase } from '#test/databases/round-trips.ts';
import { aBooking, aBuyer, aListing, aSeller } from '#test/make.ts';
import { confirmCard } from '#test/money/pay.ts';

let t: TestApp;
let counted: CountedDatabase;
let far: TestApp;

beforeAll(async () => {
  t = await testApp();
  counted = await countRoundTrips(t.databaseAppUrl);
  far = await testApp({ beside: { ...t, databaseAppUrl: counted.url } });
});

afterAll(async () => {
  await far.close();
  await counted.close();
  await t.close();
});

/**
 * The event, its booking; noted, what it pays for, its checkout, its locks, its hold, its copy, what is written down,
 * the order, the books and whom to tell, the mails, its commit.
 */
const ROUND_TRIPS = 13;

const aPaidIntent = async (): Promise<string> => {
  const [buyer, seller] = [await aBuyer(t), await aSeller(t)];
  const bookingId = await aBooking(t, buyer, await aListing(t, seller));
  const { clientSecret } = (await far.call(createPaymentIntent, { body: { price: 7.5, bookingId } }, { as: buyer }))
    .body;
  await confirmCard(far.standinUrl, clientSecret, '4242424242424242');
  return clientSecret.split('_secret')[0] ?? '';
};

const tell = async (intentId: string): Promise<{ status: number; trips: number }> => {
  const object = { id: intentId, object: 'payment_intent' };
  const body = JSON.stringify({
    id: `evt_${intentId}`,
    object: 'event',
    type: 'payment_intent.succeeded',
    data: { object },
  });
  const headers = {
    'content-type': 'application/json',
    'stripe-signature': signatureHeader(body, STANDIN_WEBHOOK_SECRET, Math.floor(Date.now() / 1_000)),
  };
  let status = 0;
  const trips = await counted.during(async () => {
    status = (await far.send('POST', '/api/webhooks/stripe', { body, headers })).statusCode;
  });
  return { status, trips };
};

test(`an event that settles a booking takes ${ROUND_TRIPS} round trips to the database`, async () => {
  // Connections are opened.
  await tell(await aPaidIntent());
  expect(await tell(await aPaidIntent())).toEqual({ status: 200, trips: ROUND_TRIPS });
});
