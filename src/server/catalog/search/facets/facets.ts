import { CONDITIONS } from '#contract/catalog/catalog.ts';
import { SINCE_DAYS, WITHOUTS, type Without } from '#contract/catalog/search-choices.ts';
import type { Facets } from '#contract/catalog/search.ts';
import type { Facet } from '#server/catalog/search/narrowing.queries.ts';

/** One choice with the copies it would leave; `facet` is what it narrows, `value` null where it is unknown. */
export interface FacetRow {
  readonly facet: 'all' | 'unknown' | Facet;
  readonly value: string | null;
  readonly name: string | null;
  readonly count: number;
}

/** Lower bounds of the spans of prices, in cents, and of years of publication; the last span is open. */
export const PRICE_STEPS: readonly number[] = [0, 500, 1_000, 2_000, 5_000];
export const YEAR_STEPS: readonly number[] = [0, 1900, 1950, 1980, 2000, 2010, 2020];

interface Span {
  readonly from: number | null;
  readonly to: number | null;
  readonly count: number;
}

/** The spans that hold copies, in order. `last` is the step to the greatest value that is still in a span. */
const spansOf = (rows: readonly FacetRow[], steps: readonly number[], last: number, unit: number): Span[] =>
  rows
    .toSorted((a, b) => Number(a.value) - Number(b.value))
    .map(({ value, count }) => {
      const bucket = Number(value);
      const from = steps[bucket - 1] ?? 0;
      const next = steps[bucket];
      return { from: from === 0 ? null : from / unit, to: next === undefined ? null : (next - last) / unit, count };
    });

/** Copies of a span of age are of all longer ones too. */
const sinceOf = (rows: readonly FacetRow[]): Facets['since'] => {
  let sum = 0;
  return SINCE_DAYS.flatMap((days, place) => {
    sum += rows.find(({ value }) => value === String(place))?.count ?? 0;
    return sum === 0 ? [] : [{ days, count: sum }];
  });
};

/** The rows of one walk as the contract has them; `more` when the walk may have ended before the copies did. */
export const facetsOf = (rows: readonly FacetRow[], more: boolean): Facets => {
  const of = (facet: FacetRow['facet']): FacetRow[] => rows.filter((row) => row.facet === facet);
  const countOf = (facet: FacetRow['facet']): number => of(facet)[0]?.count ?? 0;
  const valuesOf = (facet: Facet) => of(facet).map(({ value, count }) => ({ value: value ?? '', count }));
  return {
    total: countOf('all'),
    more,
    category: of('category').map(({ value, name, count }) => ({ value: value ?? '', name: name ?? '', count })),
    condition: CONDITIONS.flatMap((condition) =>
      of('condition')
        .filter(({ value }) => value === condition)
        .map(({ count }) => ({ value: condition, name: condition, count })),
    ),
    price: spansOf(of('price'), PRICE_STEPS, 1, 100),
    location: valuesOf('location'),
    year: spansOf(of('year'), YEAR_STEPS, 1, 1),
    verified: countOf('verified'),
    available: countOf('available'),
    binding: valuesOf('binding'),
    language: valuesOf('language'),
    signed: countOf('signed'),
    first: countOf('first'),
    jacket: countOf('jacket'),
    without: Object.fromEntries(WITHOUTS.map((name) => [name, countOf(name)])) as Record<Without, number>,
    publisher: valuesOf('publisher'),
    seller: of('seller').map(({ value, name, count }) => ({ value: value ?? '', name: name ?? '', count })),
    since: sinceOf(of('since')),
    unknown: countOf('unknown'),
  };
};
