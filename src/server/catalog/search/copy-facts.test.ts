import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import type { PassportDraft } from '#contract/catalog/passport/passport.ts';
import { searchListings, type SearchAnswer, type SearchQuery } from '#contract/catalog/search.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { aCategory, aListing, aSeller, type TestUser } from '#test/make.ts';

// What is known of copies as data narrows a search; what is not known is no "no".

let t: TestApp;
let seller: TestUser;
let other: TestUser;

const SOUND = { noDefects: true } satisfies PassportDraft;
const GOODS: readonly [title: string, publisher: string, passport: PassportDraft | null][] = [
  ['Emma, signed', 'Ace', { binding: 'hardcover', language: 'eng', signed: 'signed', jacket: 'with', ...SOUND }],
  [
    'Emma, inscribed',
    'Ace',
    { binding: 'hardcover', language: 'ger', signed: 'inscribed', printing: 'first printing' },
  ],
  ['Emma, of a library', 'Tor', { binding: 'hardcover', defects: [{ defect: 'ex-library', degree: 'slight' }] }],
  [
    'Emma, underlined',
    '',
    { binding: 'paperback', signed: 'no', defects: [{ defect: 'highlighting', degree: 'slight' }] },
  ],
  ['Emma, of a club', 'Tor', { bookClub: true, jacket: 'missing', printing: 'reprint' }],
  ['Emma, of no club', 'Tor', { bookClub: false, printing: 'first edition', language: 'fre' }],
  ['Emma, undescribed', '', null],
];
const ALL = GOODS.map(([title]) => title).toSorted();

beforeAll(async () => {
  t = await testApp();
  [seller, other] = [await aSeller(t), await aSeller(t)];
  const category_id = await aCategory(t, seller);
  for (const [place, [title, publisher, passport]] of GOODS.entries())
    await aListing(t, place === 0 ? other : seller, { category_id, title, publisher, passport });
});
afterAll(() => t.close());

const search = async (query: SearchQuery): Promise<SearchAnswer> => {
  const { status, body } = await t.call(searchListings, { query: { q: 'emma', facets: '1', ...query } });
  expect(status).toBe(200);
  return body;
};

const titles = async (query: SearchQuery): Promise<string[]> =>
  (await search(query)).listings.map(({ title }) => title.replace('Emma, ', '')).toSorted();

describe('GET /search', () => {
  it.each<[SearchQuery, string[], string[]]>([
    [{ binding: 'hardcover' }, ['inscribed', 'of a library', 'signed'], ['of a club', 'of no club', 'undescribed']],
    [{ binding: 'paperback,hardcover' }, ['inscribed', 'of a library', 'signed', 'underlined'], []],
    [{ language: 'eng' }, ['signed'], ['of a club', 'of a library', 'underlined', 'undescribed']],
    [{ language: 'ger,fre' }, ['inscribed', 'of no club'], []],
    [{ signed: '1' }, ['inscribed', 'signed'], ['of a club', 'of a library', 'of no club', 'undescribed']],
    [{ first: '1' }, ['inscribed', 'of no club'], ['of a library', 'signed', 'underlined', 'undescribed']],
    [{ jacket: '1' }, ['signed'], ['inscribed', 'of a library', 'of no club', 'underlined', 'undescribed']],
    [{ without: 'ex-library' }, ['signed', 'underlined'], ['inscribed', 'of a club', 'of no club', 'undescribed']],
    [{ without: 'writing' }, ['of a library', 'signed'], ['inscribed', 'of a club', 'of no club', 'undescribed']],
    [{ without: 'book-club' }, ['of no club'], ['inscribed', 'of a library', 'signed', 'underlined', 'undescribed']],
    [{ without: 'ex-library,writing' }, ['signed'], ['inscribed', 'of a club', 'of no club', 'undescribed']],
    [{ publisher: 'Ace' }, ['inscribed', 'signed'], ['underlined', 'undescribed']],
    [
      { binding: 'hardcover', signed: '1', without: 'ex-library' },
      ['signed'],
      ['inscribed', 'of a club', 'of no club'],
    ],
  ])('%j finds what is known to be so, and with unknown=1 what may be', async (query, known, maybe) => {
    const strict = await search(query);
    expect(await titles(query)).toEqual(known);
    expect(strict.facets).toMatchObject({ total: known.length });
    const wide = await search({ ...query, unknown: '1' });
    expect(await titles({ ...query, unknown: '1' })).toEqual(expect.arrayContaining([...known, ...maybe]));
    const more = (wide.facets?.total ?? 0) - known.length;
    // What it says there may be more of is what there is with them, and the other way round.
    expect(strict.facets?.unknown).toBe(more);
    expect(wide.facets).toMatchObject({ total: wide.listings.length, unknown: more });
  });

  it('finds all with unknown=1 where nothing is chosen of what may be unknown', async () => {
    expect((await search({ unknown: '1' })).listings.map(({ title }) => title).toSorted()).toEqual(ALL);
    expect((await search({ unknown: '1' })).facets).toMatchObject({ total: 7, unknown: 0 });
  });

  it('counts each of what is known of copies', async () => {
    const { facets } = await search({});
    expect(facets).toMatchObject({
      total: 7,
      binding: [
        { value: 'hardcover', count: 3 },
        { value: 'paperback', count: 1 },
      ],
      language: [
        { value: 'eng', count: 1 },
        { value: 'fre', count: 1 },
        { value: 'ger', count: 1 },
      ],
      signed: 2,
      first: 2,
      jacket: 1,
      without: { 'ex-library': 2, 'book-club': 1, writing: 2 },
      publisher: [
        { value: 'Tor', count: 3 },
        { value: 'Ace', count: 2 },
      ],
      seller: [
        { value: seller.id, name: seller.name, count: 6 },
        { value: other.id, name: other.name, count: 1 },
      ],
      since: [
        { days: 1, count: 7 },
        { days: 7, count: 7 },
        { days: 30, count: 7 },
      ],
      unknown: 0,
    });
  });

  it('counts a choice as if it were made instead of the present one', async () => {
    const { facets } = await search({ binding: 'hardcover', signed: '1' });
    expect(facets).toMatchObject({ total: 2, signed: 2, binding: [{ value: 'hardcover', count: 2 }] });
    expect((await search({ binding: 'paperback' })).facets).toMatchObject({
      total: 1,
      signed: 0,
      binding: [
        { value: 'hardcover', count: 3 },
        { value: 'paperback', count: 1 },
      ],
    });
  });

  it('narrows by seller and by when copies were added', async () => {
    expect(await titles({ seller: other.id })).toEqual(['signed']);
    expect((await search({ seller: other.id })).facets?.seller).toHaveLength(2);
    await t.db
      .updateTable('listings')
      .set({ published_at: new Date(Date.now() - 3 * 86_400_000) })
      .where('title', '=', 'Emma, signed')
      .execute();
    expect(await titles({ since: '1' })).not.toContain('signed');
    expect(await titles({ since: '7' })).toContain('signed');
    expect(await titles({ since: '2020-02-29' })).toHaveLength(7);
    expect(await titles({ since: new Date(Date.now() + 86_400_000).toISOString().slice(0, 10) })).toEqual([]);
    expect((await search({})).facets?.since).toEqual([
      { days: 1, count: 6 },
      { days: 7, count: 7 },
      { days: 30, count: 7 },
    ]);
  });

  it.each(['relevance', 'newest'] as const)('has them newest first from page to page, by %s', async (sort) => {
    const read = async (query: SearchQuery): Promise<string[]> => {
      const { listings, next } = await search({ ...query, sort, limit: '1' });
      const rest = next === null ? [] : await read({ ...query, cursor: next });
      return [...listings.map(({ title }) => title.replace('Emma, ', '')), ...rest];
    };
    for (const [title, daysAgo] of Object.entries({ signed: 1, inscribed: 3, 'of a library': 2 }))
      await t.db
        .updateTable('listings')
        .set({ published_at: new Date(Date.now() - daysAgo * 86_400_000) })
        .where('title', '=', `Emma, ${title}`)
        .execute();
    expect(await read({ binding: 'hardcover' })).toEqual(['signed', 'of a library', 'inscribed']);
    expect(await read({ signed: '1' })).toEqual(['signed', 'inscribed']);
    expect(await read({ q: '', binding: 'hardcover', publisher: 'Ace' })).toEqual(['signed', 'inscribed']);
    expect(await read({ binding: 'hardcover', signed: '1', unknown: '1' })).toEqual(
      expect.arrayContaining(['signed', 'of a library', 'inscribed']),
    );
  });

  it.each([
    'binding=velvet',
    'language=english',
    'signed=0',
    'without=smell',
    'within=12&near=Paris',
    'seller=me',
    'since=0',
    'since=2026-02-30',
    'since=yesterday',
    'publisher=%00',
  ])('answers 400 to %s', async (query) => {
    expect((await t.send('GET', `/api/search?${query}`)).statusCode).toBe(400);
  });
});

test('a choice goes along with plain words and with what is misspelt', async () => {
  expect((await search({ q: 'emma signd', binding: 'hardcover' })).corrected).toBe('emma signed');
  expect(await titles({ q: 'emma under $8', binding: 'paperback' })).toEqual(['underlined']);
});
