import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PassportDraft } from '#contract/catalog/passport/passport.ts';
import { SEARCH_SORTS, searchListings, type SearchAnswer, type SearchQuery } from '#contract/catalog/search.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { aCategory, aListing, aSeller } from '#test/make.ts';

// The list, the number above it and the choices beside it are of the same copies.

let t: TestApp;

/** What is said of some of them as data. */
const SAID: Readonly<Record<string, PassportDraft>> = {
  Dune: { binding: 'hardcover', signed: 'signed', noDefects: true },
  'Dune Messiah': { binding: 'paperback', language: 'eng', signed: 'no' },
  'The Dunes of Portland': { binding: 'hardcover', defects: [{ defect: 'ex-library', degree: 'slight' }] },
  'The Hobbit': { language: 'ger', defects: [{ defect: 'writing', degree: 'slight' }] },
};

const GOODS = [
  { title: 'Dune', authors: 'Frank Herbert', details: 'a good copy', condition: 'Good' },
  { title: 'Dune Messiah', authors: 'Frank Herbert', details: 'fine', condition: 'Fair' },
  { title: 'The Dunes of Portland', authors: 'Ann Dunn', details: 'signed, good binding', condition: 'Excellent' },
  { title: 'The Hobbit', authors: 'J.R.R. Tolkien', details: 'dune grass on the cover', condition: 'Good' },
  { title: 'Washington D.C.', authors: 'E. B. White', details: 'dented', condition: 'Fair' },
  { title: 'Model 9e9xx', authors: 'Good Herbert', details: 'plain', condition: 'Good' },
  { title: 'हिन्दी किताब', authors: 'Ann Hobb', details: 'Dünen', condition: 'Good' },
] as const;
const PIECES = ['dune', 'dun', 'du', 'd', 'dunes', 'good', 'hobb', 'herbert', 'frnak', 'washington', 'dc', 'd.c.', 'e'];
const MORE_PIECES = [
  'the',
  'tolkein',
  'ann',
  '9e9xx',
  '9e9',
  'हिन्दी',
  'किता',
  'dünen',
  'qqzz',
  'portlnd',
  'copy',
  'of',
];
const PLACES = ['Portland, OR', 'Vancouver, WA', 'Boston'] as const;
const CONDITIONS = ['Good', 'Fair', 'Fair,Excellent'] as const;

beforeAll(async () => {
  t = await testApp();
  const seller = await aSeller(t);
  const category_id = await aCategory(t, seller);
  for (const [place, goods] of GOODS.entries())
    await aListing(t, seller, {
      category_id,
      resale_price: `${place + 3}.00`,
      location: PLACES[place % PLACES.length] ?? '',
      passport: SAID[goods.title] ?? null,
      ...goods,
    });
});
afterAll(() => t.close());

const search = async (query: SearchQuery): Promise<SearchAnswer> => {
  const { status, body } = await t.call(searchListings, { query });
  expect(status).toBe(200);
  return body;
};

const allOf = async (query: SearchQuery): Promise<string[]> => {
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await search({ ...query, limit: '2', ...(cursor !== undefined && { cursor }) });
    ids.push(...page.listings.map(({ _id }) => _id));
    cursor = page.next ?? undefined;
  } while (cursor !== undefined && ids.length < 50);
  return ids;
};

const sum = (choices: readonly { count: number }[]): number => choices.reduce((all, { count }) => all + count, 0);

test('what is half-typed is counted as it is listed', async () => {
  for (const q of ['dun', 'hobb', 'washington dc', '9e9xx']) {
    const { listings, facets } = await search({ q, facets: '1' });
    expect({ q, listed: listings.length > 0 }).toEqual({ q, listed: true });
    expect({ q, total: facets?.total, available: facets?.available, condition: sum(facets?.condition ?? []) }).toEqual({
      q,
      total: listings.length,
      available: listings.length,
      condition: listings.length,
    });
  }
});

test('whatever is searched for, in any order, as many are counted as are listed, each once', async () => {
  const aQuery: fc.Arbitrary<SearchQuery> = fc
    .record({
      words: fc.array(fc.constantFrom(...PIECES, ...MORE_PIECES), { minLength: 1, maxLength: 3 }),
      sort: fc.constantFrom(...SEARCH_SORTS),
      condition: fc.option(fc.constantFrom(...CONDITIONS), { nil: undefined }),
      max: fc.option(fc.constantFrom('4', '6'), { nil: undefined }),
      said: fc.constantFrom<SearchQuery>(
        {},
        { unknown: '1' },
        { binding: 'hardcover' },
        { binding: 'hardcover,paperback', unknown: '1' },
        { signed: '1', unknown: '1' },
        { without: 'ex-library,writing', unknown: '1' },
        { without: 'ex-library' },
        { language: 'eng,ger', since: '7' },
      ),
      near: fc.constantFrom<SearchQuery>({}, {}, { near: 'Portland', within: '25' }, { near: 'Portland' }),
    })
    .map(({ words, sort, condition, max, said, near }) => ({
      q: words.join(' '),
      sort,
      ...(condition !== undefined && { condition }),
      ...(max !== undefined && { max }),
      ...said,
      ...near,
    }));
  await fc.assert(
    fc.asyncProperty(aQuery, async (query) => {
      const ids = await allOf(query);
      const { facets, understood } = await search({ ...query, facets: '1' });
      expect({ query, total: facets?.total, more: facets?.more }).toEqual({ query, total: ids.length, more: false });
      expect(new Set(ids).size).toBe(ids.length);
      const { unknown: _unknown, ...known } = query;
      const strict = query.unknown === undefined ? ids : await allOf({ ...known, literal: '1' });
      if (understood === null && query.unknown === '1') expect(ids.length - strict.length).toBe(facets?.unknown);
      // Plain words choose, too: beside a choice stand the numbers of the others.
      const chosen = (query.condition ?? understood?.condition)?.split(',');
      expect(sum((facets?.condition ?? []).filter(({ value }) => chosen?.includes(value) ?? true))).toBe(ids.length);
    }),
    { numRuns: 150 },
  );
}, 120_000);

test('what only the choices leave out is not taken for misspelt', async () => {
  expect(await search({ q: 'dune', max: '1', facets: '1' })).toMatchObject({
    listings: [],
    corrected: null,
    instead: null,
    left_out: [],
    facets: { total: 0 },
  });
});

test('the second page of a corrected search goes on where the first ended', async () => {
  const first = await search({ q: 'hrebert', limit: '1' });
  expect(first.corrected).toBe('herbert');
  const second = await search({ q: 'hrebert', limit: '1', cursor: first.next ?? '' });
  expect(second.corrected).toBe('herbert');
  expect(second.listings).toHaveLength(1);
  expect(second.listings[0]?._id).not.toBe(first.listings[0]?._id);
});

test('a page further on is of the wording of the first, though the typed words find something there', async () => {
  // "of" stands in one copy; five have "dune".
  const first = await search({ q: 'of dune', limit: '2' });
  expect(first.corrected).toBe('dune');
  const second = await search({ q: 'of dune', limit: '2', cursor: first.next ?? '' });
  expect(second.corrected).toBe('dune');
  expect(await allOf({ q: 'of dune' })).toHaveLength((await search({ q: 'of dune', facets: '1' })).facets?.total ?? 0);
});
