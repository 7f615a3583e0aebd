import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { searchListings, type SearchAnswer, type SearchQuery } from '#contract/catalog/search.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { aCategory, aListing, aSeller, type TestUser } from '#test/make.ts';

let t: TestApp;
let seller: TestUser;
let shelf: string;

const GOODS = [
  { title: 'Catch-22', authors: 'Joseph Heller' },
  { title: 'Dune', authors: 'Frank Herbert' },
  { title: 'Dune Messiah', authors: 'Frank Herbert' },
  { title: 'Sandworms', authors: 'Brian Herbert' },
  { title: 'Herbert of the Galaxy', authors: 'A. Galaxy' },
  { title: 'Les Misérables', authors: 'Victor Hugo' },
  { title: 'Du côté de chez Swann', authors: 'Marcel Proust' },
  { title: 'The Snow Leopard', authors: 'Peter Matthiessen' },
  { title: 'Tess', authors: 'Thomas Hardy' },
] as const;

beforeAll(async () => {
  t = await testApp();
  seller = await aSeller(t);
  shelf = await aCategory(t, seller);
  for (const goods of GOODS) await aListing(t, seller, { ...goods, details: 'As new.', category_id: shelf });
});
afterAll(() => t.close());

const search = async (query: Partial<SearchQuery>): Promise<SearchAnswer> => {
  const answer = await t.call(searchListings, { query });
  expect(answer.status).toBe(200);
  return answer.body;
};

describe('a search that finds nothing as typed', () => {
  it.each([
    ['swapped in a word of four letters', 'duen', 'dune'],
    ['swapped before a half-typed word', 'frnak herb', 'frank herb'],
    ['swapped at its end', 'sandwomrs', 'sandworms'],
  ])('corrects two letters %s, and never to a word of half as many', async (_, q, corrected) => {
    expect(await search({ q })).toMatchObject({ corrected, left_out: [] });
  });

  it('corrects the only word that says what is looked for', async () => {
    expect(await search({ q: 'v the hugos' })).toMatchObject({ corrected: 'hugo', left_out: ['v', 'the'] });
  });

  it('parts a word from a number', async () => {
    expect(await search({ q: 'catch22' })).toMatchObject({ corrected: 'catch 22', left_out: [] });
  });

  it('says of a book that is not here that it is not, and shows no other for it', async () => {
    for (const q of ['harry potter', 'potter', 'under the'])
      expect(await search({ q, facets: '1' })).toMatchObject({ listings: [], corrected: null, facets: { total: 0 } });
  });

  it('keeps the rarest of words that no copy has together, never the commonest', async () => {
    expect(await search({ q: 'messiah galaxy herbert' })).toMatchObject({
      corrected: 'messiah herbert',
      left_out: ['galaxy'],
    });
    expect(await search({ q: 'snow leoprd messiahs' })).toMatchObject({ corrected: 'snow leopard' });
    expect(await search({ q: 'the messiah of hugo' })).toMatchObject({
      corrected: 'messiah',
      left_out: ['the', 'of', 'hugo'],
    });
  });
});
