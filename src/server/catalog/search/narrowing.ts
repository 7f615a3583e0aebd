import type { Condition } from '#contract/catalog/catalog.ts';
import { parseCents } from '#contract/money/money.ts';
import type { SearchQuery } from '#contract/catalog/search.ts';
import type { Narrowing } from './search.queries.ts';

const yearOf = (text: string | undefined): number | undefined => (text === undefined ? undefined : Number(text));
const centsOf = (text: string | undefined): number | undefined => (text === undefined ? undefined : parseCents(text));

/** What the parameters of a search narrow; `places` are those that `near` means. */
export const narrowingOf = (query: SearchQuery, places: readonly string[] | undefined): Narrowing => ({
  categoryId: query.category,
  conditions: query.condition?.split(',') as Condition[] | undefined,
  minCents: centsOf(query.min),
  maxCents: centsOf(query.max),
  location: query.location,
  places,
  fromYear: yearOf(query.from),
  toYear: yearOf(query.to),
  verified: query.verified === '1',
  available: query.available === '1',
});

export const isNarrowed = (narrowing: Narrowing): boolean =>
  Object.values(narrowing).some((part) => part !== undefined && part !== false);
