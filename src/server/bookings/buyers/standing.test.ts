import { afterAll, beforeAll, expect, test } from 'vitest';
import { joinWaitlist, leaveWaitlist } from '#contract/bookings/waitlist.ts';
import { cancelBooking } from '#contract/bookings/bookings.ts';
import { listStandings, MAX_STANDINGS, type Standing } from '#contract/bookings/standing.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { aDeal, aSale, lapse } from '#test/deal.ts';
import { aBuyer, aCategory, aListing, aSeller, type TestUser } from '#test/make.ts';

let t: TestApp;
let seller: TestUser;
let category: string;

beforeAll(async () => {
  t = await testApp();
  seller = await aSeller(t);
  category = await aCategory(t, seller);
});
afterAll(() => t.close());

const ask = (as: TestUser | undefined, ids: readonly string[]) =>
  t.call(listStandings, { query: { ids: ids.join(',') } }, { as });
const standings = async (as: TestUser, ...ids: string[]): Promise<Standing[]> => (await ask(as, ids)).body;
const nothing = { bookingId: null, until: null, boughtAt: null, place: null };

test('a copy is reserved for whoever booked it, awaited by whoever waits, own to its seller, and nothing to others', async () => {
  const { copy, buyer, bookingId } = await aDeal(t, { seller, category });
  const [first, second, other] = [await aBuyer(t), await aBuyer(t), await aBuyer(t)];
  for (const as of [first, second]) await t.call(joinWaitlist, { params: { id: copy._id } }, { as });
  const free = await aListing(t, seller, { category_id: category });
  const [held, ...more] = await standings(buyer, copy._id, free._id);
  expect(more).toEqual([]);
  expect(held).toEqual({ ...nothing, listingId: copy._id, kind: 'held', bookingId, until: expect.any(String) });
  expect(Date.parse(held?.until ?? '')).toBeGreaterThan(Date.now());
  expect(await standings(second, copy._id, free._id)).toEqual([
    { ...nothing, listingId: copy._id, kind: 'waiting', place: 2 },
  ]);
  expect(
    (await standings(seller, copy._id, free._id)).map(({ kind, listingId }) => [kind, listingId]).toSorted(),
  ).toEqual([copy._id, free._id].map((id) => ['own', id]).toSorted());
  expect(await standings(other, copy._id, free._id)).toEqual([]);
  await t.call(leaveWaitlist, { params: { id: copy._id } }, { as: first });
  expect(await standings(second, copy._id)).toMatchObject([{ kind: 'waiting', place: 1 }]);
  expect(await standings(first, copy._id)).toEqual([]);
});

test('a hold whose time is over says no time, and a cancelled one is nothing', async () => {
  const deal = await aDeal(t, { seller, category });
  await lapse(t, deal);
  expect(await standings(deal.buyer, deal.copy._id)).toMatchObject([{ kind: 'held', until: null }]);
  const given = await aDeal(t, { seller, category });
  await t.call(cancelBooking, { params: { id: given.bookingId } }, { as: given.buyer });
  expect(await standings(given.buyer, given.copy._id)).toEqual([]);
});

test('a copy that was paid for is bought by its buyer, and by nobody else', async () => {
  const deal = await aSale(t, { seller, category });
  const [bought] = await standings(deal.buyer, deal.copy._id);
  expect(bought).toEqual({
    ...nothing,
    listingId: deal.copy._id,
    kind: 'bought',
    bookingId: deal.bookingId,
    boughtAt: expect.any(String),
  });
  expect(await standings(await aBuyer(t), deal.copy._id)).toEqual([]);
});

test('is kept by no cache, is 401 for visitors, and takes so many copies and no more', async () => {
  const { copy, buyer } = await aDeal(t, { seller, category });
  expect((await ask(buyer, [copy._id])).headers['cache-control']).toContain('no-store');
  expect((await ask(undefined, [copy._id])).status).toBe(401);
  const many = (count: number): string[] => Array.from({ length: count }, () => copy._id);
  expect((await ask(buyer, many(MAX_STANDINGS))).body).toHaveLength(1);
  expect((await ask(buyer, many(MAX_STANDINGS + 1))).status).toBe(400);
  expect((await ask(buyer, ['no-id'])).status).toBe(400);
});
