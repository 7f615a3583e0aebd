import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { GOOD_CARD, modelShop, PRICE_CENTS, storiesOr, STORIES_TIMEOUT_MS, type ModelShop } from '#test/model.ts';

let shop: ModelShop;

beforeAll(async () => {
  shop = await modelShop();
});
afterAll(() => shop.close());

const PRICE = PRICE_CENTS / 100;

/**
 * Bodies that somebody might send who wants a book for less: some fields right, some wrong, some that do not belong
 * there.
 */
const bodies = (known: { bookingId: string; otherBookingId: string; intentId: string; email: string }) => {
  const price = fc.oneof(
    { weight: 3, arbitrary: fc.constant(PRICE) },
    fc.double(),
    fc.integer(),
    fc.string({ maxLength: 12 }),
    fc.constantFrom('7.50', '7.5', '$7.50', '750', 0.01, -PRICE, '7.500', null, [PRICE], { valueOf: PRICE }),
  );
  const cents = fc.oneof(fc.integer({ min: 1, max: 749 }), fc.constantFrom('1', PRICE_CENTS));
  const bookingId = fc.oneof(
    { weight: 3, arbitrary: fc.constant(known.bookingId) },
    fc.constantFrom(known.otherBookingId, '', 'none'),
    fc.uuid(),
  );
  return fc.record(
    {
      price,
      bookingId,
      transactionId: fc.oneof(fc.constant(known.intentId), fc.constantFrom('pi_1', '', '../v1/refunds')),
      email: fc.constantFrom(known.email, 'other@example.com'),
      amount: cents,
      price_cents: cents,
      currency: fc.constantFrom('usd', 'jpy', 'idr'),
      metadata: fc.constant({ booking_id: known.otherBookingId, n: '1' }),
      paid: fc.constant(true),
    },
    { requiredKeys: [] },
  );
};

test(
  'whatever the two payment calls are sent, the provider is only ever asked for the price in the database',
  { timeout: STORIES_TIMEOUT_MS },
  async () => {
    const [buyer, other] = shop.buyers;
    const [copy, otherCopy] = [await shop.aCopy(), await shop.aCopy()];
    const bookingId = (await shop.book(buyer, copy)).body.insertedId;
    const otherBookingId = (await shop.book(other, otherCopy)).body.insertedId;
    // An intent that the cheat has paid already, for a cheaper book of the same buyer.
    const cheap = await shop.aCopy();
    await sql`UPDATE listings SET resale_cents = 50 WHERE id = ${cheap.id}`.execute(shop.t.db);
    const cheapBooking = await shop.t.send('POST', '/api/bookings', {
      as: buyer,
      body: {
        listingId: cheap.id,
        title: 'A story',
        buyer: buyer.name,
        email: buyer.email,
        image_url: '',
        price: 0.5,
        phone: '1',
        location: 'Seattle',
      },
    });
    const cheapIntent = await shop.t.send('POST', '/api/create-payment-intent', {
      as: buyer,
      body: { price: 0.5, bookingId: cheapBooking.json().insertedId },
    });
    const secret: string = cheapIntent.json().clientSecret;
    await shop.confirm(secret, GOOD_CARD);
    const known = { bookingId, otherBookingId, intentId: secret.split('_secret')[0] ?? '', email: buyer.email };
    const call = fc.constantFrom('/api/create-payment-intent', '/api/payments');
    await fc.assert(
      fc.asyncProperty(call, bodies(known), async (url, body) => {
        const answer = await shop.t.send('POST', url, { as: buyer, body });
        expect(answer.statusCode).toBeLessThan(500);
      }),
      storiesOr(100),
    );
    const { rows } = await sql<{ provider_id: string; price_cents: number; amount_cents: number }>`
    SELECT i.provider_id, i.amount_cents, b.price_cents FROM payment_intents i JOIN bookings b ON b.id = i.booking_id
      WHERE i.provider_id IS NOT NULL`.execute(shop.t.db);
    expect(rows.length).toBeGreaterThan(1);
    for (const row of rows) {
      expect(row.amount_cents).toBe(row.price_cents);
      const facts = await shop.t.provider.findIntent(row.provider_id);
      expect(facts).toMatchObject({ amountCents: row.price_cents, currency: 'usd' });
    }
    // Nor does the money of the cheap book pay for the dear one.
    expect(await shop.salesOf(copy)).toEqual([]);
    // The provider has no intent that the shop does not know.
    const listed: string[] = [];
    for await (const { id } of shop.t.provider.listIntents(new Date(0))) listed.push(id);
    expect(listed.toSorted()).toEqual(rows.map((row) => row.provider_id).toSorted());
  },
);
