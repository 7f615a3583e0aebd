import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Listing } from '#contract/catalog/catalog.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { aCategory, aListing, aSeller } from '#test/make.ts';
import { narrowingOf } from '#server/catalog/search/narrowing.ts';
import { readWording } from '#server/catalog/search/search-reading.service.ts';
import type { Ways } from './search-ways.ts';
import { selectFoundJson } from '#server/catalog/search/search.queries.ts';
import type { SearchPosition } from './search-page.ts';

// A narrowed search for common words asks first for the tiers that are likely to fill its page.

const TITLES: readonly [title: string, authors: string][] = [
  ['Salt', 'A. Cook'],
  ['Salt', 'B. Cook'],
  ['Salt Roads', 'N. Hopkinson'],
  ['Salt, a History', 'M. Kurlansky'],
  ['Salt Houses', 'H. Alyan'],
  ['The Salt Path', 'R. Winn'],
  ['Of Salt and Light', 'C. Poet'],
  ['Cooking', 'Ann Salt'],
  ['Baking', 'Ann Salt'],
  ['Saltwater', 'J. Andrews'],
  ['Saltmarsh', 'J. Andrews'],
];
const WALKED_FROM: readonly Ways[] = [
  ['index', 'walk', 'walk', 'walk', 'walk'],
  ['index', 'index', 'walk', 'index', 'walk'],
  ['index', 'index', 'index', 'walk', 'index'],
  ['index', 'index', 'index', 'index', 'walk'],
];
const ALL_BY_INDEX: Ways = ['index', 'index', 'index', 'index', 'index'];

let t: TestApp;

beforeAll(async () => {
  t = await testApp();
  const seller = await aSeller(t);
  const category_id = await aCategory(t, seller);
  for (const condition of ['Good', 'Fair'] as const)
    for (const [title, authors] of TITLES)
      await aListing(t, seller, { category_id, title, authors, condition, isbn13: '', passport: null });
});
afterAll(() => t.close());

/** All pages of so many, one after the other: what is on each, and of which tier its first is. */
const pagesOf = async (ways: Ways, limit: number): Promise<unknown[]> => {
  const search = {
    wording: await readWording(t.db, 'salt'),
    narrowing: narrowingOf({ condition: 'Good' }, undefined),
    isRare: false,
    ways,
  };
  const pages: unknown[] = [];
  let after: SearchPosition | undefined;
  do {
    const page = { limit, after, contacts: { of: 'none' }, sort: 'relevance', besides: [] } as const;
    const found = await selectFoundJson(t.db, search, page);
    const copies = JSON.parse(found.listings.json) as Listing[];
    pages.push({ copies: copies.map(({ _id }) => _id), rows: found.rows, tier: found.tier, last: found.last });
    after = found.last;
  } while (after !== undefined);
  return pages;
};

test('all pages are the same, whichever tier is likely to fill them', async () => {
  for (const limit of [1, 2, 3, 4, 5, 7, 9, TITLES.length, TITLES.length + 1]) {
    const plain = await pagesOf(ALL_BY_INDEX, limit);
    const found = plain.flatMap((page) => (page as { copies: string[] }).copies);
    expect(new Set(found).size).toBe(found.length);
    expect(found.length).toBe(TITLES.length);
    for (const ways of WALKED_FROM) expect(await pagesOf(ways, limit), `${limit}`).toEqual(plain);
  }
});
