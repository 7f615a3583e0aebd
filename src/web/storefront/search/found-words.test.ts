import { expect, test } from 'vitest';
import type { Facets } from '#contract/catalog/search.ts';
import type { Listing } from '#contract/catalog/catalog.ts';
import { foundWords, showWords } from './found-words.ts';

const shown = (count: number): Listing[] => Array.from({ length: count }, () => ({}) as Listing);
const counted = (total: number, more: boolean): Facets => ({
  total,
  more,
  category: [],
  condition: [],
  price: [],
  location: [],
  year: [],
  verified: 0,
  available: 0,
  binding: [],
  language: [],
  signed: 0,
  first: 0,
  jacket: 0,
  without: { 'ex-library': 0, 'book-club': 0, writing: 0 },
  publisher: [],
  seller: [],
  since: [],
  unknown: 0,
});

test.each([
  [counted(0, false), 0, 'Nothing found'],
  [counted(1, false), 1, '1 book found'],
  [counted(1_234, false), 24, '1,234 books found'],
  [counted(5_000, true), 24, '5,000 or more books found'],
  [counted(0, true), 3, '3 or more books found'],
  [counted(0, true), 0, 'Nothing found'],
  [undefined, 2, '2 books found'],
])('what is said of %j with %i on the page: %s', (facets, listings, said) => {
  expect(foundWords({ facets, listings: shown(listings) })).toBe(said);
});

test.each([
  [counted(0, false), 0, 'Show 0 books'],
  [counted(1, false), 1, 'Show 1 book'],
  [counted(12, false), 12, 'Show 12 books'],
  [counted(5_000, true), 24, 'Show 5,000 or more books'],
])('the button that leads to %j with %i on the page says %s', (facets, listings, said) => {
  expect(showWords({ facets, listings: shown(listings) })).toBe(said);
});
