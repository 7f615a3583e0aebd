import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { editListing, readListing } from '#contract/catalog/catalog.ts';
import { searchListings } from '#contract/catalog/search.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { aCategory, aListing, aSeller, type TestUser } from '#test/make.ts';

let t: TestApp;
let seller: TestUser;
let category_id: string;
let id: string;
beforeAll(async () => {
  t = await testApp();
  seller = await aSeller(t);
  category_id = await aCategory(t, seller);
});
afterAll(() => t.close());
beforeEach(async () => {
  ({ _id: id } = await aListing(t, seller, { category_id, resale_price: '10.00', original_price: '30.00' }));
});

const asks = (resale_price: string) => t.call(editListing, { params: { id }, body: { resale_price } }, { as: seller });

/** As if so many days had gone by since all that was done so far. */
const later = (days: number) =>
  sql`UPDATE price_changes SET changed_at = changed_at - make_interval(days => ${days})`.execute(t.db);

const onItsPage = async (): Promise<number | null> => (await t.call(readListing, { params: { id } })).body.reduced_from;

const reduction = async (): Promise<number | undefined> => {
  const { body } = await t.call(searchListings, { query: { reduced: '1', seller: seller.id } });
  expect(new Set(body.reduced?.map(({ _id }) => _id))).toEqual(new Set(body.listings.map(({ _id }) => _id)));
  return body.reduced?.find(({ _id }) => _id === id)?.was;
};

test('a copy whose price went down is reduced for two weeks, from what it cost', async () => {
  expect(await reduction()).toBeUndefined();
  expect(await onItsPage()).toBeNull();
  await asks('8.00');
  expect(await reduction()).toBe(10);
  await later(13);
  expect([await reduction(), await onItsPage()]).toEqual([10, 10]);
  await later(2);
  expect([await reduction(), await onItsPage()]).toEqual([undefined, null]);
});

test('what was raised first to be cut is not reduced', async () => {
  await asks('20.00');
  await asks('12.00');
  expect(await reduction()).toBeUndefined();
  await asks('9.00');
  expect(await reduction()).toBe(10);
});

test('what went down and up again is not reduced, though it once was at that very price', async () => {
  for (const price of ['8.00', '5.00', '8.00']) await asks(price);
  expect([await reduction(), await onItsPage()]).toEqual([undefined, null]);
  for (const price of ['12.00', '8.00']) await asks(price);
  expect(await reduction()).toBeUndefined();
});

test('a price of more than thirty days ago is no price to come down from', async () => {
  await asks('4.00');
  await asks('20.00');
  await later(31);
  await asks('15.00');
  expect(await reduction()).toBe(20);
});

test('a price that went up again is no longer reduced, and an edit of something else changes nothing', async () => {
  await asks('8.00');
  await t.call(editListing, { params: { id }, body: { details: 'Read once, on a train' } }, { as: seller });
  expect(await reduction()).toBe(10);
  await asks('9.50');
  expect(await reduction()).toBeUndefined();
});

test('what is reduced narrows facets and counts, too', async () => {
  await asks('7.00');
  const { body } = await t.call(searchListings, { query: { reduced: '1', facets: '1', category: category_id } });
  expect(body.facets?.total).toBe(body.listings.length);
  expect((await t.send('GET', '/api/search?reduced=yes')).statusCode).toBe(400);
});
