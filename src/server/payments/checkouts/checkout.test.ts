import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cancelBooking, readBooking } from '#contract/bookings/bookings.ts';
import { COUNTRIES } from '#contract/delivery/countries.ts';
import { saveDelivery } from '#contract/delivery/delivery-calls.ts';
import { moveOrder, readOrder, type OrderMoveRequest } from '#contract/orders/orders.ts';
import { createPaymentIntent, recordPayment } from '#contract/money/payments.ts';
import { finishRefunds } from '#server/payments/refunds/refund.service.ts';
import { releaseLapsedHolds } from '#server/payments/settlement/release.service.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { expectInvariants } from '#test/money/expect-invariants.ts';
import { aDeal, askForIntent, deliverIntent, failing, GOOD_CARD, intentIdOf, lapse, type Deal } from '#test/deal.ts';
import { aBuyer, aSeller, type TestUser } from '#test/make.ts';
import { confirmCard } from '#test/money/pay.ts';

let t: TestApp;

beforeAll(async () => {
  t = await testApp();
});

afterAll(async () => {
  await expectInvariants(t.db);
  await t.close();
});

const ADDRESS = {
  name: 'Bo Buyer',
  line1: '1 Main Street',
  line2: '',
  city: 'Portland',
  state: 'OR',
  postcode: '97201',
  country: 'US',
};

/** A seller who posts within the United States for $4.00, each further book for $1.00. */
const aPostingSeller = async (pickup = true): Promise<TestUser> => {
  const seller = await aSeller(t);
  await sql`INSERT INTO delivery_terms (seller_id, pickup, pickup_place, post, first_cents, further_cents, countries, days_to_post)
    VALUES (${seller.id}, ${pickup}, '', true, 400, 100, '{US,CA}', 2)`.execute(t.db);
  return seller;
};

const parcelOf = async (prices: readonly string[], pickup = true): Promise<[Deal, ...Deal[]]> => {
  const [buyer, seller] = await Promise.all([aBuyer(t), aPostingSeller(pickup)]);
  const deals: Deal[] = [];
  for (const price of prices) deals.push(await aDeal(t, { buyer, seller, price }));
  const [first, ...more] = deals;
  if (first === undefined) throw new Error('no deal');
  return [first, ...more];
};

const ask = (deals: readonly Deal[], more: Record<string, unknown> = {}) => {
  const [deal] = deals;
  if (deal === undefined) throw new Error('no deal');
  const body = { price: deal.copy.resale_price, bookingId: deal.bookingId, ...more };
  return t.call(
    createPaymentIntent,
    { body: { ...body, bookingIds: deals.map(({ bookingId }) => bookingId) } },
    { as: deal.buyer },
  );
};

const pay = async (deals: readonly [Deal, ...Deal[]], more: Record<string, unknown>): Promise<string> => {
  const { clientSecret } = (await ask(deals, more)).body;
  await confirmCard(t.standinUrl, clientSecret, GOOD_CARD);
  const transactionId = intentIdOf(clientSecret);
  const [{ buyer, copy, bookingId }] = deals;
  const body = { price: copy.resale_price, transactionId, email: buyer.email, bookingId };
  expect(await t.call(recordPayment, { body }, { as: buyer })).toMatchObject({ status: 200 });
  return transactionId;
};

const bookingOf = async ({ bookingId, buyer }: Deal) =>
  (await t.call(readBooking, { params: { id: bookingId } }, { as: buyer })).body;
const sums = async (orderId: string): Promise<Record<string, number>> => {
  const { rows } = await sql<{ account: string; cents: number }>`
    SELECT e.account, sum(e.amount_cents)::int AS cents FROM ledger_transactions t
      JOIN ledger_entries e ON e.transaction_id = t.id WHERE t.order_id = ${orderId} GROUP BY 1`.execute(t.db);
  return Object.fromEntries(rows.map(({ account, cents }) => [account, cents]));
};

describe('several books of one seller', () => {
  test('are paid at once, posted in one parcel and settled by one report', async () => {
    const deals = await parcelOf(['7.50', '12.10']);
    const asked = await ask(deals, { delivery: 'post', address: ADDRESS });
    expect(asked).toMatchObject({ status: 200, body: { price: 7.5, postage: 5, total: 24.6 } });
    await pay(deals, { delivery: 'post', address: ADDRESS });
    const [one, other] = await Promise.all(deals.map(bookingOf));
    expect([one?.paid, other?.paid]).toEqual([true, true]);
    expect(one?.orderId).toBe(other?.orderId);
    const { body } = await t.call(readOrder, { params: { id: one?.orderId ?? '' } }, { as: deals[0].seller });
    expect(body).toMatchObject({ delivery: 'post', address: ADDRESS, postage: 5, total: 24.6, books: [{}, {}] });
    // Fee 101 of 24.60, commission none, the rest pending.
    expect(await sums(one?.orderId ?? '')).toEqual({ provider: 2460, 'provider-fees': -101, 'seller-pending': -2359 });
    const receipts = (await t.mailTo(deals[0].buyer.email)).filter(({ subject }) => subject.includes(' and '));
    expect(receipts.length).toBeGreaterThan(0);
  });

  test('tell how both are reached, with whichever of them that was said', async () => {
    const deals = await parcelOf(['7.50', '12.10']);
    const [first, second] = deals;
    const contacts = [
      { deal: first, phone: '', location: '', sellerPhone: '' },
      { deal: second, phone: '+1 503 555 0188', location: 'Salem, OR', sellerPhone: '+1 503 555 0199' },
    ];
    for (const { deal, phone, location, sellerPhone } of contacts) {
      await t.db
        .updateTable('bookings')
        .set({ phone, location })
        .where('id', '=', deal?.bookingId ?? '')
        .execute();
      await t.db
        .updateTable('listings')
        .set({ phone: sellerPhone })
        .where('id', '=', deal?.copy._id ?? '')
        .execute();
    }
    await pay(deals, { delivery: 'pickup' });
    const params = { id: (await bookingOf(first)).orderId ?? '' };
    const { phone } = (await t.call(readOrder, { params }, { as: first.seller })).body;
    expect([phone, (await t.call(readOrder, { params }, { as: first.buyer })).body.phone]).toEqual([
      '+1 503 555 0188',
      '+1 503 555 0199',
    ]);
    const [sold] = (await t.mailTo(first.seller.email)).filter(({ subject }) => subject.startsWith('Sold'));
    expect(sold?.text).toContain('phone number is on that page');
    expect(sold?.text).toContain('Their place is in My Buyers.');
  });

  test.each([
    ['is not abroad in the seller’s own country, whatever else they post to', 'US', false],
    ['is abroad in any other', 'CA', true],
  ])('a parcel %s', async (_, home, isAbroad) => {
    const seller = await aSeller(t);
    const delivery = {
      pickup: false,
      pickupPlace: '',
      post: true,
      first: 4,
      further: 1,
      freeFrom: null,
      daysToPost: 2,
    };
    const body = { ...delivery, countries: [...COUNTRIES], home };
    expect((await t.call(saveDelivery, { body }, { as: seller })).status).toBe(200);
    const deal = await aDeal(t, { buyer: await aBuyer(t), seller });
    await pay([deal], { delivery: 'post', address: ADDRESS });
    const { orderId } = await bookingOf(deal);
    const order = t.db
      .selectFrom('orders')
      .select('is_abroad')
      .where('id', '=', orderId ?? '');
    expect(await order.executeTakeFirst()).toEqual({ is_abroad: isAbroad });
  });

  test('one goes, then the last takes the postage along, and every cent is back', async () => {
    const deals = await parcelOf(['7.50', '12.10', '3.00']);
    const intentId = await pay(deals, { delivery: 'post', address: ADDRESS });
    const orderId = (await bookingOf(deals[0])).orderId ?? '';
    const move = (body: OrderMoveRequest) =>
      t.call(moveOrder, { params: { id: orderId }, body }, { as: deals[0].seller });
    expect(await move({ move: 'leave-out', bookingId: deals[1]?.bookingId ?? '', reason: 'Lost' })).toMatchObject({
      status: 200,
    });
    await finishRefunds(t.payments, failing);
    expect((await t.provider.findIntent(intentId))?.refundedCents).toBe(1210);
    expect(await move({ move: 'refuse', reason: 'All are lost' })).toMatchObject({ body: { state: 'cancelled' } });
    await finishRefunds(t.payments, failing);
    expect((await t.provider.findIntent(intentId))?.refundedCents).toBe(2860);
    expect(await sums(orderId)).toMatchObject({ provider: 0, 'seller-pending': 0, 'owed-to-buyers': 0 });
  });

  test('of different sellers are not', async () => {
    const [one] = await parcelOf(['7.50']);
    const other = await aDeal(t, { buyer: one.buyer });
    expect(await ask([one, other])).toMatchObject({
      status: 400,
      body: { error: { fields: { bookingIds: expect.any(String) } } },
    });
  });

  test('are all lost where one is: the money goes back whole', async () => {
    const deals = await parcelOf(['7.50', '12.10']);
    const [one, other] = deals;
    const { clientSecret } = (await ask(deals, { delivery: 'post', address: ADDRESS })).body;
    await confirmCard(t.standinUrl, clientSecret, GOOD_CARD);
    // The other book is somebody else's before we hear of the money.
    await sql`DELETE FROM holds WHERE booking_id = ${other?.bookingId ?? ''}`.execute(t.db);
    await sql`UPDATE listings SET status = 'available' WHERE id = ${other?.copy._id ?? ''}`.execute(t.db);
    await aDeal(t, {});
    await sql`UPDATE listings SET resale_cents = 999 WHERE id = ${other?.copy._id ?? ''}`.execute(t.db);
    await deliverIntent(t, 'payment_intent.succeeded', intentIdOf(clientSecret));
    await finishRefunds(t.payments, failing);
    expect((await t.provider.findIntent(intentIdOf(clientSecret)))?.refundedCents).toBe(2460);
    expect(await bookingOf(one)).toMatchObject({ paid: false, cancelled: false });
  });
});

describe('a way to get it', () => {
  test('that is changed makes another intent, after the one before is cancelled; the same is the same', async () => {
    const deals = await parcelOf(['7.50']);
    const pickup = (await ask(deals)).body;
    expect(pickup).toMatchObject({ postage: 0, total: 7.5 });
    const post = (await ask(deals, { delivery: 'post', address: ADDRESS })).body;
    expect(post).toMatchObject({ price: 7.5, postage: 4, total: 11.5 });
    expect(post.clientSecret).not.toBe(pickup.clientSecret);
    expect((await t.provider.findIntent(intentIdOf(pickup.clientSecret)))?.status).toBe('canceled');
    expect((await ask(deals, { delivery: 'post', address: ADDRESS })).body.clientSecret).toBe(post.clientSecret);
    // What stands is kept where nothing is said.
    expect((await askForIntent(t, deals[0])).body.clientSecret).toBe(post.clientSecret);
  });

  test('that the seller does not offer is told by field, and so is an address that cannot be', async () => {
    const deals = await parcelOf(['7.50'], false);
    expect(await ask(deals, { delivery: 'pickup' })).toMatchObject({
      status: 400,
      body: { error: { fields: { delivery: expect.any(String) } } },
    });
    expect(await ask(deals)).toMatchObject({
      status: 400,
      body: { error: { fields: { address: expect.any(String) } } },
    });
    const wrong = { delivery: 'post', address: { ...ADDRESS, postcode: 'nowhere', city: '' } };
    expect(await ask(deals, wrong)).toMatchObject({
      status: 400,
      body: { error: { fields: { postcode: expect.any(String), city: expect.any(String) } } },
    });
    const far = { delivery: 'post', address: { ...ADDRESS, country: 'FR', postcode: '75001', state: '' } };
    expect(await ask(deals, far)).toMatchObject({
      status: 400,
      body: { error: { fields: { country: 'The seller does not post to France' } } },
    });
  });

  test('is given up with the booking: a cancelled or lapsed one ends the intent of all', async () => {
    const deals = await parcelOf(['7.50', '12.10']);
    const [one, other] = deals;
    const { clientSecret } = (await ask(deals)).body;
    await t.call(cancelBooking, { params: { id: one.bookingId } }, { as: one.buyer });
    expect((await t.provider.findIntent(intentIdOf(clientSecret)))?.status).toBe('canceled');
    const [rest] = [other ?? one];
    const alone = await askForIntent(t, rest);
    expect(alone).toMatchObject({ status: 200, body: { total: 12.1 } });
    await lapse(t, rest);
    await releaseLapsedHolds(t.payments, failing);
    expect(await bookingOf(rest)).toMatchObject({ hold: 'lapsed', paid: false });
  });
});
