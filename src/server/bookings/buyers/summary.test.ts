import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cancelBooking } from '#contract/bookings/bookings.ts';
import { readSummary } from '#contract/bookings/dashboard.ts';
import { createPaymentIntent, recordPayment } from '#contract/money/payments.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { aBooking, aBuyer, aCategory, aListing, anAdmin, aSeller, aUser, type TestUser } from '#test/make.ts';
import { confirmCard } from '#test/money/pay.ts';
import { becoming } from '#server/catalog/listings/listing.queries.ts';

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
});
afterAll(() => t.close());

const summaryOf = async (user: TestUser) => (await t.call(readSummary, {}, { as: user })).body;

/** Pays for a booking as the card form does. */
const pay = async (buyer: TestUser, bookingId: string, price: number): Promise<void> => {
  const intent = await t.call(createPaymentIntent, { body: { price, bookingId } }, { as: buyer });
  await confirmCard(t.standinUrl, intent.body.clientSecret, '4242424242424242');
  const transactionId = intent.body.clientSecret.split('_secret')[0] ?? '';
  const body = { price, transactionId, email: buyer.email, bookingId };
  expect((await t.call(recordPayment, { body }, { as: buyer })).status).toBe(200);
};

describe('GET /dashboard/summary', () => {
  test('is refused to visitors, and has only the parts of the roles a person has', async () => {
    expect((await t.call(readSummary, {})).status).toBe(401);
    const users = [aUser(t), aBuyer(t), aSeller(t), anAdmin(t), aUser(t, { roles: ['buyer', 'seller', 'admin'] })];
    const parts = await Promise.all(users.map(async (user) => Object.keys(await summaryOf(await user)).sort()));
    expect(parts).toEqual([[], ['buyer'], ['seller'], ['admin'], ['admin', 'buyer', 'seller']]);
  });

  test('tells a buyer what is held and until when, what can still be paid for, and what is paid', async () => {
    const [buyer, other, seller] = await Promise.all([aBuyer(t), aBuyer(t), aSeller(t)]);
    const category_id = await aCategory(t, seller);
    expect((await summaryOf(buyer)).buyer).toEqual({ held: 0, heldUntil: null, unpaid: 0, paid: 0 });
    const copy = () => aListing(t, seller, { category_id });
    const [first, second, lapsed, gone, cancelled, paid] = [
      await aBooking(t, buyer, await copy()),
      await aBooking(t, buyer, await copy()),
      await aBooking(t, buyer, await copy()),
      await copy(),
      await aBooking(t, buyer, await copy()),
      await copy(),
    ];
    const free = (bookingId: string, listingId: string) =>
      t.db.transaction().execute(async (trx) => {
        await trx.deleteFrom('holds').where('booking_id', '=', bookingId).execute();
        await trx.updateTable('listings').set(becoming('available')).where('id', '=', listingId).execute();
      });
    await t.call(cancelBooking, { params: { id: cancelled } }, { as: buyer });
    await free(await aBooking(t, buyer, gone), gone._id);
    await aBooking(t, other, gone);
    await pay(buyer, await aBooking(t, buyer, paid), paid.resale_price);
    const soon = new Date(Date.now() + 60_000);
    await t.db.updateTable('holds').set({ expires_at: soon }).where('booking_id', '=', second).execute();
    await t.db
      .updateTable('holds')
      .set({ expires_at: new Date(0) })
      .where('booking_id', '=', lapsed)
      .execute();
    expect((await summaryOf(buyer)).buyer).toEqual({
      held: 2,
      heldUntil: soon.toISOString(),
      unpaid: 3,
      paid: 1,
    });
    expect(first).not.toBe(second);
  });

  test('tells a seller how the own copies stand and what they earned after fees, in dollars', async () => {
    const [buyer, seller, stranger] = await Promise.all([aBuyer(t), aSeller(t), aSeller(t)]);
    const category_id = await aCategory(t, seller);
    const copy = (resale_price: string) => aListing(t, seller, { category_id, resale_price });
    const [one, two, reserved, deleted] = [
      await copy('7.05'),
      await copy('12.10'),
      await copy('3'),
      await copy('4'),
      await copy('5'),
    ];
    for (const sold of [one, two]) await pay(buyer, await aBooking(t, buyer, sold), sold.resale_price);
    await aBooking(t, buyer, reserved);
    await t.db.updateTable('listings').set(becoming('withdrawn')).where('id', '=', deleted._id).execute();
    expect((await summaryOf(seller)).seller).toEqual({ available: 1, reserved: 1, sold: 2, earned: 18 });
    expect((await summaryOf(stranger)).seller).toEqual({ available: 0, reserved: 0, sold: 0, earned: 0 });
  });

  test('tells an admin how many people there are, whom to verify, and what is in the shop', async () => {
    const admin = await anAdmin(t);
    const before = (await summaryOf(admin)).admin;
    if (before === undefined) throw new Error('an admin has no numbers');
    const seller = await aSeller(t);
    await aUser(t, { roles: ['seller'], verified: true });
    const deleted = await aSeller(t);
    await t.db.updateTable('users').set({ deleted_at: new Date() }).where('id', '=', deleted.id).execute();
    const reserved = await aListing(t, seller);
    await aBooking(t, await aBuyer(t), reserved);
    const gone = await aListing(t, seller);
    await t.db.updateTable('listings').set(becoming('withdrawn')).where('id', '=', gone._id).execute();
    expect((await summaryOf(admin)).admin).toMatchObject({
      users: before.users + 3,
      sellersToVerify: before.sellersToVerify + 1,
      listings: before.listings + 1,
    });
  });

  test('tells an admin of corrections and batches that another one made and that wait for a second pair of eyes', async () => {
    const [asker, other, seller] = await Promise.all([anAdmin(t), anAdmin(t), aSeller(t)]);
    const waiting = async () =>
      Promise.all([asker, other].map(async (admin) => (await summaryOf(admin)).admin?.toApprove));
    const [own, others] = await waiting();
    const asked = { seller_id: seller.id, amount_cents: 500, account: 'refund-costs', reason: 'A mistake' } as const;
    await t.db
      .insertInto('adjustments')
      .values({ ...asked, asked_by: asker.id })
      .execute();
    expect(await waiting()).toEqual([own, (others ?? 0) + 1]);
    const batch = await t.db
      .insertInto('payout_batches')
      .values({ made_by: asker.id, second_reason: 'More than $500.00' })
      .returning('id')
      .executeTakeFirstOrThrow();
    // One without a payout that is still to be made needs nobody.
    expect(await waiting()).toEqual([own, (others ?? 0) + 1]);
    const payout = await t.db
      .insertInto('payouts')
      .values({ seller_id: seller.id, amount_cents: 60_000, way: 'manual', n: 1 })
      .returning('id')
      .executeTakeFirstOrThrow();
    const copied = { kind: 'us', country: 'US', shown: '…6789', details_version: 1, key_id: 'test' } as const;
    await t.db
      .insertInto('hand_payouts')
      .values({ ...copied, payout_id: payout.id, batch_id: batch.id })
      .execute();
    expect(await waiting()).toEqual([own, (others ?? 0) + 2]);
  });
});
