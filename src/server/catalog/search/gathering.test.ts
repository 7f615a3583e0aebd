import { afterAll, beforeAll, expect, test } from 'vitest';
import { searchListings, type SearchAnswer, type SearchQuery } from '#contract/catalog/search.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { aBooking, aBuyer, aCategory, aListing, aSeller } from '#test/make.ts';

let t: TestApp;

const DUNE = '9780441013593';
const MESSIAH = '9780593098233';
const HOBBIT = '9780547928227';

beforeAll(async () => {
  t = await testApp();
  const seller = await aSeller(t);
  const category_id = await aCategory(t, seller);
  const add = (title: string, isbn13: string, resale_price: string, condition: 'Good' | 'Fair' = 'Good') =>
    aListing(t, seller, { title, isbn13, resale_price, original_price: '40.00', condition, category_id });
  await add('Dune Messiah', MESSIAH, '7.00');
  await add('Dune for Beginners', '', '3.00');
  await add('Dune for Beginners', '', '4.00');
  for (let copy = 0; copy < 12; copy += 1) await add('Dune', DUNE, `${20 - copy}.00`, copy < 3 ? 'Fair' : 'Good');
  const cheapest = await add('Dune', DUNE, '2.50');
  await add('The Hobbit', HOBBIT, '6.00');
  await add('The Hobbit', HOBBIT, '5.00');
  await aBooking(t, await aBuyer(t), cheapest);
});
afterAll(() => t.close());

const search = async (query: Partial<SearchQuery>): Promise<SearchAnswer> =>
  (await t.call(searchListings, { query: { gather: '1', ...query } })).body;

const shown = ({ listings }: SearchAnswer): (readonly [string, number])[] =>
  listings.map(({ title, resale_price }) => [title, resale_price] as const);

test('the copies of a book are one, the cheapest that can be booked, with how many there are and from what price', async () => {
  const found = await search({ q: 'dune', facets: '1' });
  expect(shown(found)).toEqual([
    ['Dune', 9],
    ['Dune for Beginners', 4],
    ['Dune for Beginners', 3],
    ['Dune Messiah', 7],
  ]);
  expect(found.gathered).toEqual([{ isbn13: DUNE, copies: 13, from: 9 }]);
  // The number above the list is that of copies.
  expect(found.facets?.total).toBe(16);
});

test('a page that one book fills is read on to others, and the page after it gathers nothing again', async () => {
  const first = await search({ q: 'dune', limit: '4' });
  expect(shown(first).map(([title]) => title)).toEqual([
    'Dune',
    'Dune for Beginners',
    'Dune for Beginners',
    'Dune Messiah',
  ]);
  const two = await search({ q: 'dune', limit: '2' });
  expect(shown(two).map(([title]) => title)).toEqual(['Dune', 'Dune for Beginners']);
  const after = await search({ q: 'dune', limit: '2', cursor: two.next ?? '', besides: DUNE });
  expect(shown(after)).toEqual([
    ['Dune for Beginners', 3],
    ['Dune Messiah', 7],
  ]);
  expect(after.gathered).toEqual([]);
});

test.each([
  ['price-up', ['Dune', 9], ['The Hobbit', 5]],
  ['price-down', ['Dune', 20], ['The Hobbit', 6]],
  ['newest', ['The Hobbit', 5], ['Dune', 9]],
] as const)('ordered by %s the first of a book that can be booked stands for it', async (sort, ...expected) => {
  const found = shown(await search({ sort, available: '1' }));
  expect(found.filter(([title]) => title === 'Dune' || title === 'The Hobbit').toSorted()).toEqual(expected.toSorted());
});

test('by price a book stands where the copy that can be booked has its place', async () => {
  const found = shown(await search({ sort: 'price-up' }));
  const prices = found.map(([, price]) => price);
  expect(prices).toEqual(prices.toSorted((a, b) => a - b));
  expect(found).toContainEqual(['Dune', 9]);
});

test('what is chosen holds for what is counted, too', async () => {
  const some = await search({ max: '10' });
  expect(some.gathered?.toSorted((a, b) => b.copies - a.copies)).toEqual([
    { isbn13: DUNE, copies: 3, from: 9 },
    { isbn13: HOBBIT, copies: 2, from: 5 },
  ]);
});

test('where all that is found is one book its copies stand one by one, page after page', async () => {
  const fair = await search({ q: 'dune', condition: 'Fair', limit: '2' });
  expect(shown(fair)).toEqual([
    ['Dune', 18],
    ['Dune', 19],
  ]);
  expect(fair.gathered).toBeUndefined();
  const after = await search({ q: 'dune', condition: 'Fair', limit: '2', cursor: fair.next ?? '' });
  expect(shown(after)).toEqual([['Dune', 20]]);
});

test('the copies of an ISBN that was typed stand one by one, as they do where nothing is gathered', async () => {
  const typed = await search({ q: DUNE });
  expect(typed.listings).toHaveLength(13);
  expect(typed.gathered).toBeUndefined();
  const plain = await search({ q: 'dune', gather: undefined });
  expect(plain.listings).toHaveLength(16);
});

test('what is no ISBN-13 is refused', async () => {
  const answer = await t.send('GET', '/api/search?q=dune&gather=1&besides=12345');
  expect(answer.statusCode).toBe(400);
});
