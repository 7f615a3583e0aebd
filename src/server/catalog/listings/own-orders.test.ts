import { afterAll, beforeAll, expect, test } from 'vitest';
import { listMyListings, type Listing, type MyListingsSort } from '#contract/catalog/catalog.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { aListing, aSeller, type TestUser } from '#test/make.ts';
import { nextCursor } from '#test/next-cursor.ts';

let t: TestApp;
let seller: TestUser;
const COPIES = [
  ['Émile', 9],
  ['emma', 12.5],
  ['Zeno’s Conscience', 12.5],
  ['The “Angel” of the Odd', 3],
  ['emma', 7],
  ['A Book Without a Price to Speak of', 0.5],
] as const;

beforeAll(async () => {
  t = await testApp();
  seller = await aSeller(t);
  await aListing(t, await aSeller(t), { title: 'Aardvark, of somebody else' });
  for (const [title, resale_price] of COPIES) await aListing(t, seller, { title, resale_price, original_price: 20 });
});
afterAll(() => t.close());

const read = (query: { sort?: MyListingsSort; cursor?: string; limit?: string }) =>
  t.call(listMyListings, { query: { email: seller.email, ...query } }, { as: seller });

/** The whole list, two rows at a time. */
const readAll = async (sort?: MyListingsSort): Promise<Listing[]> => {
  const rows: Listing[] = [];
  let cursor: string | undefined;
  do {
    const page = await read({ limit: '2', ...(sort && { sort }), ...(cursor !== undefined && { cursor }) });
    expect(page.status).toBe(200);
    rows.push(...page.body);
    cursor = nextCursor(page.headers['link']);
  } while (cursor !== undefined);
  return rows;
};

const TITLES = [
  'A Book Without a Price to Speak of',
  'Émile',
  'emma',
  'emma',
  'The “Angel” of the Odd',
  'Zeno’s Conscience',
];

test('own copies are read by title, whatever its case and accents, page by page and each once', async () => {
  const up = await readAll('title-up');
  expect(up.map(({ title }) => title)).toEqual(TITLES);
  expect(new Set(up.map(({ _id }) => _id)).size).toBe(COPIES.length);
  const down = await readAll('title-down');
  expect(down.map(({ _id }) => _id)).toEqual(up.map(({ _id }) => _id).toReversed());
});

test('and by price', async () => {
  const up = await readAll('price-up');
  expect(up.map(({ resale_price }) => resale_price)).toEqual([0.5, 3, 7, 9, 12.5, 12.5]);
  expect((await readAll('price-down')).map(({ _id }) => _id)).toEqual(up.map(({ _id }) => _id).toReversed());
});

test('the newest first is what nobody has to ask for', async () => {
  const newest = await readAll('newest');
  expect(newest.map(({ title }) => title)).toEqual(COPIES.map(([title]) => title).toReversed());
  expect((await readAll()).map(({ _id }) => _id)).toEqual(newest.map(({ _id }) => _id));
});

test('a cursor of another order, and an order that there is not, are 400', async () => {
  const cursorOf = async (sort: MyListingsSort): Promise<string> =>
    nextCursor((await read({ sort, limit: '1' })).headers['link']) ?? '';
  const sorts: readonly MyListingsSort[] = ['newest', 'title-up', 'title-down', 'price-up', 'price-down'];
  for (const of of sorts) {
    const cursor = await cursorOf(of);
    for (const sort of sorts) expect((await read({ sort, cursor })).status).toBe(sort === of ? 200 : 400);
  }
  for (const more of ['sort=status', 'sort=', 'sort=title-up&sort=newest', 'sort=title-up&limit=101']) {
    const { statusCode } = await t.send('GET', `/api${listMyListings.path}?email=${seller.email}&${more}`, {
      as: seller,
    });
    expect([more, statusCode]).toEqual([more, 400]);
  }
});

test('a copy that is renamed meanwhile breaks no page', async () => {
  const cursor = nextCursor((await read({ sort: 'title-up', limit: '2' })).headers['link']) ?? '';
  await t.db.updateTable('listings').set({ title: 'Zz' }).where('title', '=', 'Émile').execute();
  const rest = await read({ sort: 'title-up', cursor });
  expect(rest.body.map(({ title }) => title)).toEqual([...TITLES.slice(2), 'Zz']);
});
