import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deleteUser } from '#contract/admin/admin.ts';
import { bookCopy, cancelBooking, listMyBookings, MAX_UNPAID_HOLDS } from '#contract/bookings/bookings.ts';
import { deleteListing, readListing } from '#contract/catalog/catalog.ts';
import { saveShelfPause } from '#contract/catalog/pausing.ts';
import {
  joinWaitlist,
  leaveWaitlist,
  listMyWaitlist,
  MAX_WAITLIST_ENTRIES,
  readWaitlist,
} from '#contract/bookings/waitlist.ts';
import { releaseLapsedHolds } from '#server/payments/settlement/release.service.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { expectInvariants } from '#test/money/expect-invariants.ts';
import {
  aDeal,
  askForIntent,
  bookingOf,
  copyOf,
  failing,
  lapse,
  payAtProvider,
  recordPaid,
  type Deal,
} from '#test/deal.ts';
import { aBooking, aBookingDraft, aBuyer, aCategory, aListing, anAdmin, aSeller, type TestUser } from '#test/make.ts';

let t: TestApp;
let seller: TestUser;
let category: string;

beforeAll(async () => {
  t = await testApp();
  seller = await aSeller(t);
  category = await aCategory(t, seller);
});
afterAll(async () => {
  await expectInvariants(t.db);
  await t.close();
});

/** Races that go right once may go wrong the tenth time. */
const ROUNDS = process.env['DOGEAR_TEST_LONG'] === '1' ? 100 : 4;

const deal = () => aDeal(t, { seller, category });
const join = (as: TestUser | undefined, { copy }: Pick<Deal, 'copy'>) =>
  t.call(joinWaitlist, { params: { id: copy._id } }, { as });
const leave = (as: TestUser | undefined, { copy }: Pick<Deal, 'copy'>) =>
  t.call(leaveWaitlist, { params: { id: copy._id } }, { as });
const look = async (as: TestUser, { copy }: Pick<Deal, 'copy'>) =>
  (await t.call(readWaitlist, { params: { id: copy._id } }, { as })).body;
const cancel = ({ buyer, bookingId }: Pick<Deal, 'buyer' | 'bookingId'>) =>
  t.call(cancelBooking, { params: { id: bookingId } }, { as: buyer });
const sweep = () => releaseLapsedHolds(t.payments, failing);

/** The booking with which somebody holds a copy now. */
const holdOf = async ({ copy }: Pick<Deal, 'copy'>) =>
  t.db.selectFrom('holds').selectAll().where('listing_id', '=', copy._id).executeTakeFirst();

const mailsTo = async (user: TestUser, kind: string) =>
  t.db.selectFrom('outbox').select('key').where('to_email', '=', user.email).where('kind', '=', kind).execute();

describe('joining the line', () => {
  test('is for buyers behind a copy that somebody else holds', async () => {
    const held = await deal();
    const buyer = await aBuyer(t);
    expect((await join(undefined, held)).status).toBe(401);
    expect((await join(await anAdmin(t), held)).status).toBe(403);
    expect(await join(held.buyer, held)).toMatchObject({ status: 409, body: { error: { code: 'own_hold' } } });
    const free = { copy: await aListing(t, seller, { category_id: category }) };
    expect(await join(buyer, free)).toMatchObject({ status: 409, body: { error: { code: 'copy_free' }, place: null } });
    await t.db.updateTable('users').set({ is_buyer: true }).where('id', '=', seller.id).execute();
    expect(await join(seller, held)).toMatchObject({ status: 403, body: { error: { code: 'own_copy' } } });
    const gone = { copy: { ...held.copy, _id: '00000000-0000-4000-8000-000000000000' } };
    expect((await join(buyer, gone)).status).toBe(404);
    await recordPaid(t, held, await payAtProvider(t, held));
    expect(await join(buyer, held)).toMatchObject({ status: 409, body: { error: { code: 'copy_taken' } } });
  });

  test('keeps the order in which people came, shows how many wait, and repeating changes nothing', async () => {
    const held = await deal();
    const [first, second] = await Promise.all([aBuyer(t), aBuyer(t)]);
    expect((await join(first, held)).body).toEqual({ place: 1, waiting: 1 });
    expect((await join(second, held)).body).toEqual({ place: 2, waiting: 2 });
    expect((await join(first, held)).body).toEqual({ place: 1, waiting: 2 });
    expect(await copyOf(t, held)).toMatchObject({ status: 'Reserved', waiting: 2 });
    expect(await look(second, held)).toEqual({ waiting: 2, place: 2, bookingId: null });
    expect(await look(held.buyer, held)).toEqual({ waiting: 2, place: null, bookingId: held.bookingId });
    expect((await t.call(readWaitlist, { params: { id: held.copy._id } })).status).toBe(401);
    const mine = await t.call(listMyWaitlist, {}, { as: second });
    expect(mine.body).toMatchObject([
      { listingId: held.copy._id, title: held.copy.title, price: 7.5, status: 'Reserved', place: 2, waiting: 2 },
    ]);
    expect((await t.call(listMyWaitlist, {})).status).toBe(401);
    expect((await t.call(listMyWaitlist, {}, { as: await anAdmin(t) })).status).toBe(403);
  });

  test('leaving is one call; those behind move up; it is no one else’s to leave', async () => {
    const held = await deal();
    const [first, second] = await Promise.all([aBuyer(t), aBuyer(t)]);
    await join(first, held);
    await join(second, held);
    expect((await leave(undefined, held)).status).toBe(401);
    expect((await leave(await anAdmin(t), held)).status).toBe(403);
    expect((await leave(await aBuyer(t), held)).body).toEqual({ deletedCount: 0 });
    expect((await leave(first, held)).body).toEqual({ deletedCount: 1 });
    expect((await leave(first, held)).body).toEqual({ deletedCount: 0 });
    expect(await look(second, held)).toMatchObject({ waiting: 1, place: 1 });
  });

  test('ends at twenty lines', async () => {
    const buyer = await aBuyer(t);
    const copies = await Promise.all(
      Array.from({ length: MAX_WAITLIST_ENTRIES }, () => aListing(t, seller, { category_id: category })),
    );
    await t.db
      .insertInto('waitlist_entries')
      .values(copies.map((copy) => ({ listing_id: copy._id, buyer_id: buyer.id })))
      .execute();
    expect(await join(buyer, await deal())).toMatchObject({ status: 429, body: { error: { code: 'too_many' } } });
  });
});

describe('a copy that becomes free', () => {
  test('goes to the first in line when the booking is cancelled, with a hold, a booking and a mail', async () => {
    const held = await deal();
    await askForIntent(t, held);
    const [first, second] = await Promise.all([aBuyer(t), aBuyer(t)]);
    await aBooking(t, first, await aListing(t, seller, { category_id: category }));
    await join(first, held);
    await join(second, held);
    expect((await cancel(held)).status).toBe(200);
    expect(await copyOf(t, held)).toMatchObject({ status: 'Reserved', waiting: 1 });
    const orders = await t.call(listMyBookings, { query: { email: first.email } }, { as: first });
    // Where to reach them is what they last said.
    expect(orders.body[0]).toMatchObject({
      listingId: held.copy._id,
      hold: 'held',
      price: 7.5,
      phone: '+1 555 0199',
      location: 'Seattle',
    });
    expect(await mailsTo(first, 'line-turn')).toHaveLength(1);
    expect(await mailsTo(second, 'line-turn')).toEqual([]);
    expect(await look(first, held)).toEqual({ waiting: 1, place: null, bookingId: orders.body[0]?._id });
    const next = { ...held, buyer: first, bookingId: orders.body[0]?._id ?? '' };
    expect((await recordPaid(t, next, await payAtProvider(t, next))).status).toBe(200);
    // Nobody waits for a sold book.
    expect(await copyOf(t, held)).toMatchObject({ status: 'Sold', waiting: 0 });
    expect((await t.call(listMyWaitlist, {}, { as: second })).body).toEqual([]);
    expect(await mailsTo(second, 'line-over')).toHaveLength(1);
  });

  test('goes to the first in line when the hold lapses, and its holder cannot take it back', async () => {
    const held = await deal();
    const first = await aBuyer(t);
    await join(first, held);
    const before = await bookingOf(t, held);
    expect((await askForIntent(t, held)).status).toBe(200);
    // While others wait, opening the payment page again does not make the hold longer.
    expect((await bookingOf(t, held)).holdExpiresAt).toBe(before.holdExpiresAt);
    await lapse(t, held);
    expect(await askForIntent(t, held)).toMatchObject({ status: 409, body: { error: { code: 'hold_lost' } } });
    expect(await sweep()).toBeGreaterThan(0);
    expect((await holdOf(held))?.buyer_id).toBe(first.id);
    expect(await bookingOf(t, held)).toMatchObject({ hold: 'gone' });
    expect(await askForIntent(t, held)).toMatchObject({ status: 409, body: { error: { code: 'hold_lost' } } });
    expect((await join(held.buyer, held)).body).toEqual({ place: 1, waiting: 1 });
    // The one who lost it gets the same booking back when it is their turn again.
    expect(await cancel({ buyer: first, bookingId: (await holdOf(held))?.booking_id ?? '' })).toMatchObject({
      status: 200,
    });
    expect(await bookingOf(t, held)).toMatchObject({ hold: 'held' });
  });

  test('skips who has five books to pay for and who left; without anybody it is on the shelf', async () => {
    const held = await deal();
    const [full, leaver, last, admin] = await Promise.all([aBuyer(t), aBuyer(t), aBuyer(t), anAdmin(t)]);
    for (let count = 0; count < MAX_UNPAID_HOLDS; count += 1) {
      await aBooking(t, full, await aListing(t, seller, { category_id: category }));
    }
    for (const user of [full, leaver, last]) await join(user, held);
    await t.call(deleteUser, { params: { id: leaver.id } }, { as: admin });
    expect(await copyOf(t, held)).toMatchObject({ waiting: 2 });
    await lapse(t, held);
    await sweep();
    expect((await holdOf(held))?.buyer_id).toBe(last.id);
    // Skipped, not forgotten.
    expect(await look(full, held)).toMatchObject({ place: 1 });
    await cancel({ buyer: last, bookingId: (await holdOf(held))?.booking_id ?? '' });
    expect((await copyOf(t, held)).status).toBe('Available');
  });

  test('of a seller who left the shop goes nowhere, and those who waited are told', async () => {
    const [leaving, admin, waiting] = await Promise.all([aSeller(t), anAdmin(t), aBuyer(t)]);
    const held = await aDeal(t, { seller: leaving });
    await join(waiting, held);
    await t.call(deleteUser, { params: { id: leaving.id } }, { as: admin });
    await cancel(held);
    expect(await holdOf(held)).toBeUndefined();
    expect((await t.call(readListing, { params: { id: held.copy._id } })).status).toBe(404);
    expect(await mailsTo(waiting, 'line-over')).toHaveLength(1);
  });

  test('of a paused copy is over once its seller deletes it, and those who waited are told', async () => {
    const [own, waiting] = [await aSeller(t), await aBuyer(t)];
    const held = await aDeal(t, { seller: own });
    await join(waiting, held);
    // The hold ends while the shelf is paused, so that the copy is paused and waited for.
    await t.call(saveShelfPause, { body: { paused: true, until: null } }, { as: own });
    await t.db.updateTable('users').set({ is_buyer: false }).where('id', '=', waiting.id).execute();
    await cancel(held);
    await t.db.updateTable('users').set({ is_buyer: true }).where('id', '=', waiting.id).execute();
    expect((await t.call(deleteListing, { params: { id: held.copy._id } }, { as: own })).status).toBe(200);
    expect(await mailsTo(waiting, 'line-over')).toHaveLength(1);
  });

  test('passes from one to the next without being anybody else’s in between, however many want it', async () => {
    const [buyer, rival, ...line] = await Promise.all(Array.from({ length: 5 }, () => aBuyer(t)));
    if (buyer === undefined || rival === undefined) throw new Error('nobody came');
    for (let round = 0; round < ROUNDS; round += 1) {
      const held = await aDeal(t, { seller, category, buyer });
      await join(line[0], held);
      const grab = () => t.call(bookCopy, { body: aBookingDraft(rival, held.copy) }, { as: rival });
      const answers = await Promise.all([
        grab(),
        cancel(held),
        join(line[1], held),
        grab(),
        join(line[2], held),
        leave(line[1], held),
        grab(),
      ]);
      expect(answers.filter(({ status }) => ![200, 409].includes(status))).toEqual([]);
      const hold = await holdOf(held);
      expect(hold?.buyer_id).toBe(line[0]?.id);
      expect((await copyOf(t, held)).status).toBe('Reserved');
      // Whoever left before they had joined waits still; nobody may wait for more than twenty books.
      await Promise.all([leave(line[1], held), leave(line[2], held)]);
      await cancel({ buyer: line[0] ?? buyer, bookingId: hold?.booking_id ?? '' });
    }
  });

  test('has one owner when lapsing, paying, leaving and joining happen at once', async () => {
    const [buyer, first, second] = await Promise.all([aBuyer(t), aBuyer(t), aBuyer(t)]);
    for (let round = 0; round < ROUNDS; round += 1) {
      const held = await aDeal(t, { seller, category, buyer });
      await join(first, held);
      const intentId = await payAtProvider(t, held);
      await lapse(t, held);
      const answers = await Promise.all([
        sweep().then(() => ({ status: 200 })),
        recordPaid(t, held, intentId),
        join(second, held),
        leave(first, held),
        cancel(held),
      ]);
      expect(answers.filter(({ status }) => ![200, 409].includes(status))).toEqual([]);
      await sweep();
      expect(await bookingOf(t, held)).toMatchObject({ paid: true });
      expect(await copyOf(t, held)).toMatchObject({ status: 'Sold', waiting: 0 });
    }
  });
});
