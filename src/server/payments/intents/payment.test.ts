import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bookCopy, cancelBooking, readBooking } from '#contract/bookings/bookings.ts';
import { readListing } from '#contract/catalog/catalog.ts';
import { createPaymentIntent, paymentSetup, recordPayment } from '#contract/money/payments.ts';
import { confirmCard } from '#test/money/pay.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { aBooking, aBookingDraft, aBuyer, aCategory, aListing, aSeller, type TestUser } from '#test/make.ts';
import { releaseLapsedHolds } from '#server/payments/settlement/release.service.ts';

let t: TestApp;
let seller: TestUser;
let category: string;

beforeAll(async () => {
  t = await testApp();
  seller = await aSeller(t);
  category = await aCategory(t, seller);
});
afterAll(() => t.close());

const PRICE = 7.5;

/** A buyer with an unpaid booking of a fresh copy at $7.50. */
const aDeal = async () => {
  const [buyer, copy] = await Promise.all([aBuyer(t), aListing(t, seller, { category_id: category })]);
  const bookingId = await aBooking(t, buyer, copy);
  return { buyer, copy, bookingId };
};

type Deal = Awaited<ReturnType<typeof aDeal>>;

const intentOf = ({ buyer, bookingId }: Deal, price: number | string = PRICE) =>
  t.call(createPaymentIntent, { body: { price, bookingId } }, { as: buyer });

const record = ({ buyer, bookingId }: Deal, transactionId: string, more = {}) =>
  t.call(
    recordPayment,
    { body: { price: PRICE, transactionId, email: buyer.email, bookingId, ...more } },
    { as: buyer },
  );

const providerIdOf = (clientSecret: string): string => clientSecret.split('_secret')[0] ?? '';

const pay = async (deal: Deal): Promise<string> => {
  const { clientSecret } = (await intentOf(deal)).body;
  await confirmCard(t.standinUrl, clientSecret, '4242424242424242');
  return providerIdOf(clientSecret);
};

const sweep = () =>
  releaseLapsedHolds(t.payments, (error) => {
    throw error;
  });

const expireHold = (bookingId: string) =>
  t.db
    .updateTable('holds')
    .set({ expires_at: new Date(0) })
    .where('booking_id', '=', bookingId)
    .execute();

const statusOf = async (deal: Deal) => (await t.call(readListing, { params: { id: deal.copy._id } })).body.status;
const bookingOf = async (deal: Deal) =>
  (await t.call(readBooking, { params: { id: deal.bookingId } }, { as: deal.buyer })).body;

const paymentsOf = (deal: Deal) =>
  t.db.selectFrom('payments').selectAll().where('booking_id', '=', deal.bookingId).execute();

describe('a payment intent', () => {
  test('has the amount of the database, and is the same when asked again', async () => {
    const deal = await aDeal();
    const [first, second] = [await intentOf(deal), await intentOf(deal)];
    expect(first.status).toBe(200);
    expect(second.body.clientSecret).toBe(first.body.clientSecret);
    const facts = await t.provider.findIntent(providerIdOf(first.body.clientSecret));
    expect(facts).toMatchObject({ amountCents: 750, currency: 'usd', bookingId: deal.bookingId, n: 1 });
  });

  test('is one, however many ask at once', async () => {
    const deal = await aDeal();
    const answers = await Promise.all(Array.from({ length: 10 }, () => intentOf(deal)));
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
    expect(new Set(answers.map((answer) => answer.body.clientSecret)).size).toBe(1);
  });

  test('is never made at another price than the booking’s', async () => {
    const deal = await aDeal();
    const prices = fc.oneof(
      fc.double(),
      fc.integer(),
      fc.string({ maxLength: 20 }),
      fc.constantFrom('7.500', '7.5 ', '-7.5'),
    );
    await fc.assert(
      fc.asyncProperty(prices, async (price) => {
        fc.pre(Number(price) !== PRICE);
        const answer = await intentOf(deal, price);
        expect([400, 409]).toContain(answer.status);
        expect(answer.body.clientSecret).toBe('');
      }),
      { numRuns: process.env['DOGEAR_TEST_LONG'] === '1' ? 1_000 : 100 },
    );
    const intents = await t.db
      .selectFrom('payment_intents')
      .selectAll()
      .where('booking_id', '=', deal.bookingId)
      .execute();
    expect(intents).toEqual([]);
  });

  test('without a booking id is for the only unpaid booking at that price', async () => {
    const deal = await aDeal();
    const body = { price: PRICE };
    expect((await t.call(createPaymentIntent, { body }, { as: deal.buyer })).status).toBe(200);
    await aBooking(t, deal.buyer, await aListing(t, seller, { category_id: category }));
    const two = await t.call(createPaymentIntent, { body }, { as: deal.buyer });
    expect(two).toMatchObject({ status: 409, body: { error: { code: 'booking_ambiguous' }, clientSecret: '' } });
  });

  test('is not given to no one, to sellers, or to another buyer', async () => {
    const deal = await aDeal();
    const body = { price: PRICE, bookingId: deal.bookingId };
    expect((await t.call(createPaymentIntent, { body })).status).toBe(401);
    expect((await t.call(createPaymentIntent, { body }, { as: seller })).status).toBe(403);
    expect((await t.call(createPaymentIntent, { body }, { as: await aBuyer(t) })).status).toBe(404);
  });

  test('takes a lapsed hold again while the copy is free, and not when it is gone', async () => {
    const deal = await aDeal();
    await expireHold(deal.bookingId);
    expect(await sweep()).toBeGreaterThan(0);
    expect(await statusOf(deal)).toBe('Available');
    expect((await bookingOf(deal)).hold).toBe('lapsed');
    expect((await intentOf(deal)).status).toBe(200);
    expect(await statusOf(deal)).toBe('Reserved');

    await expireHold(deal.bookingId);
    await sweep();
    const quicker = await aBuyer(t);
    await aBooking(t, quicker, deal.copy);
    expect(await intentOf(deal)).toMatchObject({ status: 409, body: { error: { code: 'hold_lost' } } });
    expect((await bookingOf(deal)).hold).toBe('gone');
  });
});

describe('recording a payment', () => {
  test('believes only the provider: an unconfirmed intent is 409', async () => {
    const deal = await aDeal();
    const { clientSecret } = (await intentOf(deal)).body;
    const answer = await record(deal, providerIdOf(clientSecret));
    expect(answer).toMatchObject({ status: 409, body: { insertedId: null, error: { code: 'not_paid' } } });
    expect((await bookingOf(deal)).paid).toBe(false);
  });

  test('settles once, however often and however many at once', async () => {
    const deal = await aDeal();
    const id = await pay(deal);
    const answers = await Promise.all(Array.from({ length: 6 }, () => record(deal, id)));
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
    expect(new Set(answers.map((answer) => answer.body.insertedId)).size).toBe(1);
    expect(await paymentsOf(deal)).toHaveLength(1);
    expect(await bookingOf(deal)).toMatchObject({ paid: true, hold: 'none' });
    expect(await statusOf(deal)).toBe('Sold');
    expect(await intentOf(deal)).toMatchObject({ status: 409, body: { error: { code: 'already_paid' } } });
  });

  test('money for one booking does not pay for another', async () => {
    const [paid, unpaid] = [await aDeal(), await aDeal()];
    const id = await pay(paid);
    expect((await record(unpaid, id)).status).toBe(409);
    expect((await record({ ...unpaid, buyer: paid.buyer }, id)).status).toBe(404);
    expect((await record(paid, id, { price: 7.51 })).status).toBe(409);
    expect((await record(paid, id, { email: unpaid.buyer.email })).status).toBe(403);
    for (const forged of ['pi_forged', '', '.', '..', 'pi_1/../../charges', '?']) {
      expect((await record(paid, forged)).status).toBe(409);
    }
    const body = { price: PRICE, transactionId: id, email: paid.buyer.email, bookingId: paid.bookingId };
    expect((await t.call(recordPayment, { body })).status).toBe(401);
    expect((await bookingOf(unpaid)).paid).toBe(false);
  });

  test('a declined card leaves the booking to be paid with another', async () => {
    const deal = await aDeal();
    const { clientSecret } = (await intentOf(deal)).body;
    const declined = await confirmCard(t.standinUrl, clientSecret, '4000000000000002');
    expect(declined).toMatchObject({ error: { code: 'card_declined' } });
    expect((await record(deal, providerIdOf(clientSecret))).status).toBe(409);
    expect((await intentOf(deal)).body.clientSecret).toBe(clientSecret);
    await confirmCard(t.standinUrl, clientSecret, '4242424242424242');
    expect((await record(deal, providerIdOf(clientSecret))).status).toBe(200);
  });

  test('finds an intent whose id was never saved', async () => {
    const deal = await aDeal();
    const id = await pay(deal);
    await t.db
      .updateTable('payment_intents')
      .set({ provider_id: null })
      .where('booking_id', '=', deal.bookingId)
      .execute();
    expect((await record(deal, id)).status).toBe(200);
  });
});

describe('a hold that ends', () => {
  test('is released only after its intent was cancelled, so no payment can follow', async () => {
    const deal = await aDeal();
    const { clientSecret } = (await intentOf(deal)).body;
    await expireHold(deal.bookingId);
    await sweep();
    expect(await statusOf(deal)).toBe('Available');
    expect((await t.provider.findIntent(providerIdOf(clientSecret)))?.status).toBe('canceled');
    const late = await confirmCard(t.standinUrl, clientSecret, '4242424242424242');
    expect(late).toHaveProperty('error');
    const next = await intentOf(deal);
    expect(next.body.clientSecret).not.toBe(clientSecret);
    expect(await t.provider.findIntent(providerIdOf(next.body.clientSecret))).toMatchObject({ n: 2, amountCents: 750 });
  });

  test('settles when its intent had succeeded unnoticed', async () => {
    const deal = await aDeal();
    await pay(deal);
    await expireHold(deal.bookingId);
    await sweep();
    expect(await bookingOf(deal)).toMatchObject({ paid: true });
    expect(await statusOf(deal)).toBe('Sold');
    expect(await paymentsOf(deal)).toHaveLength(1);
  });

  test('is cancelled together with an intent whose creation was never answered', async () => {
    const deal = await aDeal();
    await intentOf(deal);
    await t.db
      .updateTable('payment_intents')
      .set({ provider_id: null })
      .where('booking_id', '=', deal.bookingId)
      .execute();
    await expireHold(deal.bookingId);
    await sweep();
    expect(await statusOf(deal)).toBe('Available');
  });
});

describe('cancelling a booking', () => {
  test('frees the copy at once; only its buyer may; a paid one stands', async () => {
    const deal = await aDeal();
    await intentOf(deal);
    const params = { id: deal.bookingId };
    expect((await t.call(cancelBooking, { params })).status).toBe(401);
    expect((await t.call(cancelBooking, { params }, { as: await aBuyer(t) })).status).toBe(404);
    expect(await t.call(cancelBooking, { params }, { as: deal.buyer })).toMatchObject({ body: { deletedCount: 1 } });
    expect(await t.call(cancelBooking, { params }, { as: deal.buyer })).toMatchObject({ body: { deletedCount: 0 } });
    expect(await statusOf(deal)).toBe('Available');
    expect((await intentOf(deal)).status).toBe(409);

    const paid = await aDeal();
    await record(paid, await pay(paid));
    const refused = await t.call(cancelBooking, { params: { id: paid.bookingId } }, { as: paid.buyer });
    expect(refused).toMatchObject({ status: 409, body: { deletedCount: 0 } });
  });

  test('a copy given up can be booked by someone else', async () => {
    const deal = await aDeal();
    await t.call(cancelBooking, { params: { id: deal.bookingId } }, { as: deal.buyer });
    const next = await aBuyer(t);
    expect((await t.call(bookCopy, { body: aBookingDraft(next, deal.copy) }, { as: next })).status).toBe(201);
  });
});

test('the browser learns how to reach the provider, and that it is a test', async () => {
  const setup = await t.call(paymentSetup, {});
  expect(setup.body).toEqual({
    publishableKey: expect.stringMatching(/^pk_test_/),
    script: '/standins/stripe/stripe.js',
    test: true,
  });
});
