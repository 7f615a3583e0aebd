import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { liftSuspension, readOwnSuspension, suspendUser } from '#contract/admin/suspending.ts';
import { bookCopy, readBooking } from '#contract/bookings/bookings.ts';
import { joinWaitlist } from '#contract/bookings/waitlist.ts';
import { listListings, offerListing, readListing } from '#contract/catalog/catalog.ts';
import { saveShelfPause as saveShelf } from '#contract/catalog/pausing.ts';
import { askSeller } from '#contract/messages/threads.ts';
import { writeNote } from '#contract/messages/notes.ts';
import { bringShelvesBack } from '#server/bookings/pausing/pausing.service.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { aDeal, aSale, bookingOf } from '#test/deal.ts';
import { aBookingDraft, aBuyer, aDraft, aListing, anAdmin, aSeller, type TestUser } from '#test/make.ts';
import { liftDueSuspensions } from './suspending.service.ts';

let t: TestApp;
let admin: TestUser;
beforeAll(async () => {
  t = await testApp();
  admin = await anAdmin(t);
});
afterAll(() => t.close());

const REASON = 'Three buyers got nothing';
const suspend = (user: TestUser, more: { days?: number } = {}, as = admin) =>
  t.call(suspendUser, { params: { id: user.id }, body: { reason: REASON, ...more } }, { as });
const lift = (user: TestUser, as = admin) => t.call(liftSuspension, { params: { id: user.id } }, { as });
const own = async (user: TestUser) => (await t.call(readOwnSuspension, {}, { as: user })).body.suspension;
const back = () =>
  bringShelvesBack(t.db, 15, (error) => {
    throw error;
  });
const isOnShelf = async (id: string) =>
  (await t.call(listListings, { query: { limit: '100' } })).body.some(({ _id }) => _id === id);

describe('a suspended seller', () => {
  test('is off the shelf, lists nothing and cannot come back by themselves; lifted, their books are there again', async () => {
    const seller = await aSeller(t);
    const copy = await aListing(t, seller);
    expect(await isOnShelf(copy._id)).toBe(true);
    expect((await suspend(seller, { days: 7 })).body).toEqual({ modifiedCount: 1 });
    expect(await isOnShelf(copy._id)).toBe(false);
    expect((await t.call(readListing, { params: { id: copy._id } })).status).toBe(404);
    const refused = await t.call(offerListing, { body: aDraft(seller, copy.category_id) }, { as: seller });
    expect([refused.status, refused.body.error?.code]).toEqual([403, 'suspended']);
    expect((await t.call(saveShelf, { body: { paused: false, until: null } }, { as: seller })).status).toBe(403);
    await back();
    expect(await isOnShelf(copy._id)).toBe(false);
    expect(await own(seller)).toMatchObject({ reason: REASON, until: expect.any(String) });
    const [mail] = await t.mailTo(seller.email);
    expect([mail?.subject, mail?.text.includes(REASON)]).toEqual(['Your account is suspended', true]);
    expect((await lift(seller)).body).toEqual({ modifiedCount: 1 });
    expect((await lift(seller)).body).toEqual({ modifiedCount: 0 });
    await back();
    expect(await isOnShelf(copy._id)).toBe(true);
    expect(await own(seller)).toBeNull();
    expect((await t.call(offerListing, { body: aDraft(seller, copy.category_id) }, { as: seller })).status).toBe(201);
  });

  test('goes on with what is under way: a copy that is held can be paid, its order and its notes go on', async () => {
    const deal = await aDeal(t);
    const sale = await aSale(t, { seller: deal.seller });
    await suspend(deal.seller);
    expect((await t.call(readBooking, { params: { id: deal.bookingId } }, { as: deal.buyer })).status).toBe(200);
    const id = (await bookingOf(t, sale)).orderId ?? '';
    expect(
      (await t.call(writeNote, { params: { id }, body: { text: 'I post it today' } }, { as: deal.seller })).status,
    ).toBe(201);
    // What comes back to the shelf meanwhile stays out of sight.
    await sql`UPDATE listings SET status = 'available', on_shelf = true WHERE id = ${deal.copy._id}`.execute(t.db);
    expect(await isOnShelf(deal.copy._id)).toBe(false);
  });

  test('who paused their shelf themselves is still paused once it is lifted', async () => {
    const seller = await aSeller(t);
    const copy = await aListing(t, seller);
    await t.call(saveShelf, { body: { paused: true, until: null } }, { as: seller });
    await suspend(seller);
    await lift(seller);
    await back();
    expect(await isOnShelf(copy._id)).toBe(false);
    expect((await t.call(saveShelf, { body: { paused: false, until: null } }, { as: seller })).status).toBe(200);
    expect(await isOnShelf(copy._id)).toBe(true);
  });

  test('is paid nothing until it is lifted, and then looked at again', async () => {
    const seller = await aSeller(t);
    await t.db.insertInto('payout_accounts').values({ seller_id: seller.id, country: 'US' }).execute();
    await suspend(seller);
    const lookAt = async () =>
      (
        await t.db
          .selectFrom('payout_accounts')
          .select('look_at')
          .where('seller_id', '=', seller.id)
          .executeTakeFirstOrThrow()
      ).look_at;
    await sql`UPDATE payout_accounts SET look_at = NULL WHERE seller_id = ${seller.id}`.execute(t.db);
    await lift(seller);
    expect(await lookAt()).not.toBeNull();
  });
});

describe('a suspended buyer', () => {
  test('neither books nor waits nor writes to sellers', async () => {
    const [buyer, held] = [await aBuyer(t), await aDeal(t)];
    const copy = await aListing(t, await aSeller(t));
    await suspend(buyer);
    const refusals = [
      await t.call(bookCopy, { body: aBookingDraft(buyer, copy) }, { as: buyer }),
      await t.call(joinWaitlist, { params: { id: held.copy._id } }, { as: buyer }),
      await t.call(askSeller, { params: { id: copy._id }, body: { text: 'Is it there?' } }, { as: buyer }),
    ];
    expect(refusals.map(({ status, body }) => [status, body.error?.code])).toEqual(
      refusals.map(() => [403, 'suspended']),
    );
    await lift(buyer);
    expect((await t.call(bookCopy, { body: aBookingDraft(buyer, copy) }, { as: buyer })).status).toBe(201);
  });
});

describe('suspending', () => {
  test('ends by itself when its time is over, and is told', async () => {
    const user = await aBuyer(t);
    await suspend(user, { days: 1 });
    await suspend(user, { days: 2 });
    expect(await liftDueSuspensions(t.db)).toBe(0);
    await sql`UPDATE suspensions SET until = shop_now() WHERE user_id = ${user.id}`.execute(t.db);
    expect(await liftDueSuspensions(t.db)).toBe(1);
    expect(await own(user)).toBeNull();
    const subjects = (await t.mailTo(user.email)).map(({ subject }) => subject);
    expect(subjects).toContain('Your account is no longer suspended');
    const { rows } = await sql<{ action: string }>`SELECT action FROM audit_entries
      WHERE subject_id = ${user.id} ORDER BY id`.execute(t.db);
    expect(rows.map(({ action }) => action)).toEqual(['user suspended', 'user suspended', 'suspension lifted']);
  });

  test('is for admins, of people who are none, with a reason', async () => {
    const [user, other] = [await aBuyer(t), await anAdmin(t)];
    expect((await suspend(user, {}, await aSeller(t))).status).toBe(403);
    expect((await suspend(admin)).status).toBe(403);
    expect((await suspend(other)).status).toBe(403);
    expect((await suspend({ ...user, id: randomUUID() })).status).toBe(404);
    for (const body of [{ reason: ' ' }, { reason: '' }, { reason: REASON, days: 0 }, { reason: REASON, days: 366 }])
      expect((await t.call(suspendUser, { params: { id: user.id }, body }, { as: admin })).status).toBe(400);
    expect(await own(user)).toBeNull();
  });
});
