import { expect, it } from 'vitest';
import type { PriceSpan } from '#contract/catalog/editions/edition-calls.ts';
import { priceHelpOf } from './price-help.ts';

const span = (count: number, low: number, high: number): PriceSpan => ({ count, low, high });

it.each([
  [span(12, 400, 900), span(5, 600, 1100), '12 sold for $4-9, 5 asked at $6-11'],
  [null, span(1, 650, 650), '1 asked at $6.50'],
  [null, span(2, 650, 1_200), '2 asked at $6.50-12'],
  [span(1_250, 400, 400), null, '1,250 sold for $4'],
  [null, null, ''],
])('says %j sold and %j asked as %j', (sold, asked, words) => {
  expect(priceHelpOf({ sold, asked })).toBe(words);
});
