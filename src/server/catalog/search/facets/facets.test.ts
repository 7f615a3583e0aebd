import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { searchListings } from '#contract/catalog/search.ts';
import { connect } from '#server/platform/postgres/db.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { aCategory, aSeller } from '#test/make.ts';
import { countFacets } from './facets.queries.ts';
import { keyOfAscii, wordingOf } from '#server/catalog/search/wording.ts';

// More copies of one word than are looked through, and the oldest few of them in a category of their own.

const COPIES = 4_200;
/** So many newer copies that the newest 5,000 of all leave out the oldest. */
const NEWER = 4_900;
const OLDEST = 12;

const NOTHING_CHOSEN = {
  categoryId: undefined,
  conditions: undefined,
  minCents: undefined,
  maxCents: undefined,
  location: undefined,
  fromYear: undefined,
  toYear: undefined,
  verified: false,
  available: false,
};

let t: TestApp;
let [most, few] = ['', ''];

beforeAll(async () => {
  t = await testApp();
  const seller = await aSeller(t);
  [most, few] = [await aCategory(t, seller), await aCategory(t, seller)];
  // So many rows at once are no request.
  const filling = connect(t.databaseUrl, { connections: 1, timeouts: false });
  await sql`INSERT INTO listings (seller_id, category_id, title, original_cents, resale_cents, years_of_use, location, phone, details, condition, published_at)
    SELECT ${seller.id}::uuid, CASE WHEN n > ${COPIES - OLDEST}::integer THEN ${few} ELSE ${most} END, 'The Common Reader', 2000, 900, 1, 'Here', '', '', 'Good', now() - n * interval '1 minute'
    FROM generate_series(1, ${COPIES}::integer) AS n`.execute(filling.db);
  await sql`INSERT INTO listings (seller_id, category_id, title, original_cents, resale_cents, years_of_use, location, phone, details, condition, published_at)
    SELECT ${seller.id}::uuid, ${most}, 'Three Guineas', 2000, 900, 1, 'Here', '', '', 'Fair', now() + n * interval '1 second'
    FROM generate_series(1, ${NEWER}::integer) AS n`.execute(filling.db);
  await filling.close();
});
afterAll(() => t.close());

const facetsOf = async (query: Record<string, string>) =>
  (await t.call(searchListings, { query: { q: 'common reader', facets: '1', ...query } })).body.facets;

test('of a common word the newest are counted, and it is said that there are more', async () => {
  expect(await facetsOf({})).toMatchObject({
    total: 2_500,
    more: true,
    category: [{ value: most, count: 2_500 }],
    condition: [{ value: 'Good', count: 2_500 }],
  });
});

test('what a choice leaves of a common word is counted though it is all old', async () => {
  expect(await facetsOf({ category: few })).toMatchObject({
    total: OLDEST,
    more: false,
    category: [
      { value: most, count: COPIES - OLDEST },
      { value: few, count: OLDEST },
    ],
    condition: [{ value: 'Good', count: OLDEST }],
  });
});

test('what is listed is counted though it is older than all that are looked through', async () => {
  const { body } = await t.call(searchListings, { query: { category: few, facets: '1', limit: '100' } });
  expect(body.listings).toHaveLength(OLDEST);
  expect(body.facets).toMatchObject({ total: OLDEST, more: true });
});

test('where even those that are looked through for a choice do not reach it, the numbers are the least', async () => {
  const narrowing = { ...NOTHING_CHOSEN, categoryId: few };
  const { rows, walked } = await countFacets(t.db, {
    wording: wordingOf(keyOfAscii('common reader')),
    narrowing,
    since: [],
    atMost: COPIES - OLDEST,
  });
  expect(walked).toBe(COPIES - OLDEST);
  expect(rows.find(({ facet }) => facet === 'all')).toMatchObject({ count: 0 });
});
