import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deleteUser } from '#contract/admin/admin.ts';
import { restoreUser } from '#contract/admin/restoring.ts';
import { bookCopy } from '#contract/bookings/bookings.ts';
import { joinWaitlist, listMyWaitlist, readWaitlist } from '#contract/bookings/waitlist.ts';
import {
  countListings,
  deleteListing,
  listCategoryListings,
  listMyListings,
  offerListing,
  readListing,
  type Listing,
} from '#contract/catalog/catalog.ts';
import { listEditionCopies } from '#contract/catalog/editions/editions.ts';
import { pauseListing, readShelfPause, saveShelfPause } from '#contract/catalog/pausing.ts';
import { searchListings } from '#contract/catalog/search.ts';
import { dayIn, endOfDay } from '#contract/time.ts';
import { forgetSeller } from '#server/catalog/listings/shelf/leaving-seller.service.ts';
import { checkInvariants } from '#server/payments/reconciliation/invariants.service.ts';
import { releaseLapsedHolds } from '#server/payments/settlement/release.service.ts';
import { moveShopClock, readShopClock } from '#server/platform/postgres/clock.ts';
import { markShop } from '#server/platform/postgres/shop-mark.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { aDeal, failing, lapse } from '#test/deal.ts';
import { aBookingDraft, aBuyer, aCategory, aDraft, aListing, anAdmin, aSeller, type TestUser } from '#test/make.ts';
import { bringShelvesBack } from './pausing.service.ts';

let t: TestApp;
let seller: TestUser;
let category: string;

beforeAll(async () => {
  t = await testApp();
});
afterAll(async () => {
  expect((await checkInvariants(t.db)).filter(({ violations }) => violations > 0)).toEqual([]);
  await t.close();
});

/** Races that go right once may go wrong the tenth time. */
const ROUNDS = process.env['DOGEAR_TEST_LONG'] === '1' ? 100 : 4;
const HOLD_MINUTES = 30;
const DAY_SECONDS = 86_400;

/** A seller of their own for each test: a shelf is paused as a whole. */
const aShelf = async (): Promise<void> => {
  seller = await aSeller(t);
  category = await aCategory(t, seller);
};
const copy = (): Promise<Listing> => aListing(t, seller, { category_id: category });
const pause = (listing: Pick<Listing, '_id'>, paused = true, as: TestUser | 'nobody' = seller) =>
  t.call(pauseListing, { params: { id: listing._id }, body: { paused } }, as === 'nobody' ? {} : { as });
const away = (until: string | null = null) => t.call(saveShelfPause, { body: { paused: true, until } }, { as: seller });
const back = () => t.call(saveShelfPause, { body: { paused: false, until: null } }, { as: seller });
/** A busy machine answers that it is to be asked again: so it is. */
const insisting = async <A extends { status: number }>(ask: () => Promise<A>): Promise<A> => {
  for (;;) {
    const answer = await ask();
    if (answer.status !== 503) return answer;
  }
};
const read = (listing: Pick<Listing, '_id'>, as?: TestUser) =>
  t.call(readListing, { params: { id: listing._id } }, { as });
const statusOf = async (listing: Pick<Listing, '_id'>) => (await read(listing, seller)).body.status;
const book = (buyer: TestUser, listing: Listing) =>
  t.call(bookCopy, { body: aBookingDraft(buyer, listing) }, { as: buyer });
const join = (buyer: TestUser, listing: Pick<Listing, '_id'>) =>
  t.call(joinWaitlist, { params: { id: listing._id } }, { as: buyer });
const holderOf = async (listing: Pick<Listing, '_id'>) =>
  (await t.db.selectFrom('holds').select('buyer_id').where('listing_id', '=', listing._id).executeTakeFirst())
    ?.buyer_id;
const inCategory = async () => (await t.call(listCategoryListings, { params: { id: category }, query: {} })).body;
/** The day that is `days` from today, as the shop in the tests has it. */
const dayAfter = async (days: number): Promise<string> =>
  dayIn(new Date((await readShopClock(t.db)).now.getTime() + days * DAY_SECONDS * 1_000), t.config.shopTimeZone);

describe('pausing a copy', () => {
  beforeAll(aShelf);

  test('hides it from everybody but its seller, with right counts, and one press puts it back', async () => {
    const [kept, hidden] = [await copy(), await copy()];
    const counted = (await t.call(countListings, {})).body.count;
    expect((await pause(hidden)).body).toEqual({ modifiedCount: 1, status: 'Paused' });
    expect((await pause(hidden)).body).toEqual({ modifiedCount: 0, status: 'Paused' });
    expect((await t.call(countListings, {})).body.count).toBe(counted - 1);
    expect((await inCategory()).map(({ _id }) => _id)).toEqual([kept._id]);
    const found = await t.call(searchListings, { query: { category, facets: '1' } });
    expect(found.body.listings.map(({ _id }) => _id)).toEqual([kept._id]);
    expect(found.body.facets?.available).toBe(1);
    expect((await t.call(listEditionCopies, { params: { id: kept._id } })).body.count).toBe(0);
    expect((await t.call(listEditionCopies, { params: { id: hidden._id } })).status).toBe(404);
    for (const reader of [undefined, await aBuyer(t), await aSeller(t)])
      expect((await read(hidden, reader)).status).toBe(404);
    expect((await read(hidden, seller)).body).toMatchObject({ status: 'Paused', title: hidden.title });
    const mine = await t.call(listMyListings, { query: { email: seller.email } }, { as: seller });
    expect(mine.body.find(({ _id }) => _id === hidden._id)?.status).toBe('Paused');
    expect((await pause(hidden, false)).body).toEqual({ modifiedCount: 1, status: 'Available' });
    expect((await t.call(countListings, {})).body.count).toBe(counted);
    expect((await inCategory()).length).toBe(2);
  });

  test('is refused of what is held or sold, and of what is another’s', async () => {
    const deal = await aDeal(t, { seller, category });
    expect(await pause(deal.copy)).toMatchObject({
      status: 409,
      body: { error: { code: 'copy_locked', message: expect.stringMatching(/reserved/) } },
    });
    const free = await copy();
    expect((await pause(free, true, await aSeller(t))).status).toBe(404);
    expect((await pause(free, true, await aBuyer(t))).status).toBe(403);
    expect((await pause(free, true, 'nobody')).status).toBe(401);
  });

  test('has it booked and waited for by nobody, and it can be deleted', async () => {
    const hidden = await copy();
    const buyer = await aBuyer(t);
    await pause(hidden);
    expect((await book(buyer, hidden)).status).toBe(404);
    expect((await join(buyer, hidden)).status).toBe(404);
    expect((await t.call(readWaitlist, { params: { id: hidden._id } }, { as: buyer })).status).toBe(404);
    expect((await t.call(deleteListing, { params: { id: hidden._id } }, { as: seller })).body.deletedCount).toBe(1);
    expect((await read(hidden, seller)).status).toBe(404);
  });

  test('and a booking at the same moment: one of the two is refused', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const [buyer, wanted] = [await aBuyer(t), await copy()];
      const [paused, booked] = await Promise.all([pause(wanted), book(buyer, wanted)]);
      expect([
        [200, 404],
        [200, 409],
        [409, 201],
      ]).toContainEqual([paused.status, booked.status]);
      expect(await statusOf(wanted)).toBe(booked.status === 201 ? 'Reserved' : 'Paused');
      expect(await holderOf(wanted)).toBe(booked.status === 201 ? buyer.id : undefined);
    }
  });
});

describe('pausing the whole shelf', () => {
  beforeAll(aShelf);

  test('hides what is there and what is added, and all but what was paused alone comes back', async () => {
    const [one, two, alone] = [await copy(), await copy(), await copy()];
    await pause(alone);
    expect((await away()).body).toMatchObject({ paused: true, until: null, hidden: 2, openOrders: 0 });
    expect(await inCategory()).toEqual([]);
    const added = await t.call(listMyListings, { query: { email: seller.email } }, { as: seller });
    expect(added.body.map(({ status }) => status)).toEqual(['Paused', 'Paused', 'Paused']);
    // Put back meanwhile: it comes back with the others.
    await pause(two);
    expect((await pause(two, false)).body).toEqual({ modifiedCount: 1, status: 'Paused' });
    expect((await back()).body).toMatchObject({ paused: false, hidden: 0 });
    expect([await statusOf(one), await statusOf(two), await statusOf(alone)]).toEqual([
      'Available',
      'Available',
      'Paused',
    ]);
  });

  test('hides what is added meanwhile until its seller is back', async () => {
    await away();
    const added = await t.call(offerListing, { body: aDraft(seller, category) }, { as: seller });
    expect(added.status).toBe(201);
    const listing = { _id: added.body.insertedId };
    expect([(await read(listing)).status, await statusOf(listing)]).toEqual([404, 'Paused']);
    await back();
    expect((await read(listing)).body.status).toBe('Available');
  });

  test('keeps a copy that its buyer gives up, and offers it to the first in line after the return', async () => {
    const deal = await aDeal(t, { seller, category });
    const [first, second] = [await aBuyer(t), await aBuyer(t)];
    await join(first, deal.copy);
    await join(second, deal.copy);
    expect((await away()).body.paused).toBe(true);
    expect(await statusOf(deal.copy)).toBe('Reserved');
    await lapse(t, deal);
    await releaseLapsedHolds(t.payments, failing);
    expect([await statusOf(deal.copy), await holderOf(deal.copy)]).toEqual(['Paused', undefined]);
    const waiting = await t.call(listMyWaitlist, {}, { as: second });
    expect(waiting.body).toMatchObject([{ listingId: deal.copy._id, status: 'Paused', place: 2, waiting: 2 }]);
    await back();
    expect([await statusOf(deal.copy), await holderOf(deal.copy)]).toEqual(['Reserved', first.id]);
    const mails = await t.db.selectFrom('outbox').select('kind').where('to_email', '=', first.email).execute();
    expect(mails.map(({ kind }) => kind)).toContain('line-turn');
  });

  test('and paused by itself as well, a copy goes to the first in line when it is put back', async () => {
    const deal = await aDeal(t, { seller, category });
    const first = await aBuyer(t);
    await join(first, deal.copy);
    await away();
    await lapse(t, deal);
    await releaseLapsedHolds(t.payments, failing);
    await pause(deal.copy);
    await back();
    expect([await statusOf(deal.copy), await holderOf(deal.copy)]).toEqual(['Paused', undefined]);
    expect((await pause(deal.copy, false)).body).toEqual({ modifiedCount: 1, status: 'Reserved' });
    expect(await holderOf(deal.copy)).toBe(first.id);
  });

  test('says what is wrong with a day of return', async () => {
    for (const until of ['2026-02-30', await dayAfter(0), await dayAfter(-1), await dayAfter(400)]) {
      expect(await away(until)).toMatchObject({
        status: 400,
        body: { error: { fields: { until: expect.any(String) } } },
      });
    }
    expect((await away('tomorrow')).status).toBe(400);
    expect((await t.call(readShelfPause, {}, { as: seller })).body.paused).toBe(false);
  });

  test('and bookings at the same moment: a copy is held or hidden, and nothing is left on the shelf', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      await aShelf();
      const wanted = [await copy(), await copy(), await copy()];
      const buyers = await Promise.all(wanted.map(() => aBuyer(t)));
      const [, ...booked] = await Promise.all([away(), ...wanted.map((one, at) => book(buyers[at] ?? seller, one))]);
      const expected = booked.map(({ status }) => (status === 201 ? 'Reserved' : 'Paused'));
      expect(await Promise.all(wanted.map(statusOf))).toEqual(expected);
    }
  });

  test('and holds that end at the same moment: none of the copies is left on the shelf', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      await aShelf();
      const deals = [await aDeal(t, { seller, category }), await aDeal(t, { seller, category })];
      for (const deal of deals) await lapse(t, deal);
      // What the shop's own work does not come to now it does the next time.
      const [paused] = await Promise.all([insisting(away), releaseLapsedHolds(t.payments, () => {})]);
      expect(paused.status).toBe(200);
      await releaseLapsedHolds(t.payments, failing);
      expect(await Promise.all(deals.map(({ copy: one }) => statusOf(one)))).toEqual(['Paused', 'Paused']);
      await Promise.all([insisting(away), insisting(back), insisting(back)]);
      const { paused: isAway } = (await t.call(readShelfPause, {}, { as: seller })).body;
      await bringShelvesBack(t.db, HOLD_MINUTES, failing);
      const status = isAway ? 'Paused' : 'Available';
      expect(await Promise.all(deals.map(({ copy: one }) => statusOf(one)))).toEqual([status, status]);
    }
  });

  test('ends by itself when the day of return begins in the shop’s time zone', async () => {
    await aShelf();
    const hidden = await copy();
    const until = await dayAfter(3);
    expect((await away(until)).body).toMatchObject({ paused: true, until, hidden: 1 });
    await bringShelvesBack(t.db, HOLD_MINUTES, failing);
    expect(await statusOf(hidden)).toBe('Paused');
    await markShop(t.db, true);
    const { now } = await readShopClock(t.db);
    const lastMoment = endOfDay(await dayAfter(2), t.config.shopTimeZone).getTime();
    await moveShopClock(t.db, Math.floor((lastMoment - now.getTime()) / 1_000) - 60);
    await bringShelvesBack(t.db, HOLD_MINUTES, failing);
    expect(await statusOf(hidden)).toBe('Paused');
    await moveShopClock(t.db, 120);
    await bringShelvesBack(t.db, HOLD_MINUTES, failing);
    expect(await statusOf(hidden)).toBe('Available');
    expect(await t.db.selectFrom('shelf_pauses').selectAll().where('seller_id', '=', seller.id).execute()).toEqual([]);
  });

  test('is of that seller alone, and for sellers', async () => {
    await aShelf();
    const other = await copy();
    await aShelf();
    await away();
    expect((await read(other)).status).toBe(200);
    expect((await t.call(readShelfPause, {}, { as: await aBuyer(t) })).status).toBe(403);
    expect((await t.call(saveShelfPause, { body: { paused: true, until: null } })).status).toBe(401);
  });

  test('stays so for an account that was deleted and restored, as do copies that were paused alone', async () => {
    await aShelf();
    const [one, alone] = [await copy(), await copy()];
    await pause(alone);
    const admin = await anAdmin(t);
    await t.call(deleteUser, { params: { id: seller.id } }, { as: admin });
    expect(
      (await t.db.selectFrom('listings').select('status').where('id', '=', alone._id).executeTakeFirst())?.status,
    ).toBe('withdrawn');
    await t.call(restoreUser, { params: { id: seller.id } }, { as: admin });
    const states = await t.db
      .selectFrom('listings')
      .select(['id', 'status'])
      .where('seller_id', '=', seller.id)
      .execute();
    expect(new Map(states.map(({ id, status }) => [id, status]))).toEqual(
      new Map([
        [one._id, 'available'],
        [alone._id, 'paused'],
      ]),
    );
  });

  test('is forgotten with its seller, and paused copies lose phone and place', async () => {
    await aShelf();
    const hidden = await copy();
    await away();
    await t.call(deleteUser, { params: { id: seller.id } }, { as: await anAdmin(t) });
    expect(await forgetSeller(t.db, seller.id)).toBe(true);
    expect(await t.db.selectFrom('shelf_pauses').selectAll().where('seller_id', '=', seller.id).execute()).toEqual([]);
    const left = t.db.selectFrom('listings').select(['status', 'phone', 'location']).where('id', '=', hidden._id);
    expect(await left.executeTakeFirst()).toEqual({ status: 'withdrawn', phone: '', location: '' });
  });
});
