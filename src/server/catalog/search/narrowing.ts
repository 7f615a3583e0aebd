import type { Condition } from '#contract/catalog/catalog.ts';
import type { Without } from '#contract/catalog/search-choices.ts';
import type { SearchQuery } from '#contract/catalog/search.ts';
import { parseCents } from '#contract/money/money.ts';
import { REDUCED_DAYS } from '#server/catalog/listings/price-changes.queries.ts';
import { badFields } from '#server/platform/errors.ts';
import type { FactsNarrowing, Narrowing } from './narrowing.queries.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const yearOf = (text: string | undefined): number | undefined => (text === undefined ? undefined : Number(text));
const centsOf = (text: string | undefined): number | undefined => (text === undefined ? undefined : parseCents(text));

/** So many days ago, to the hour: the pages of a list, and what is counted beside it, are of the same time. */
export const daysAgo = (days: number): string => {
  const hour = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
  return new Date(hour - days * DAY_MS).toISOString();
};

/** Since when; 400 for a day that no month has. */
const sinceOf = (text: string): string => {
  if (!text.includes('-')) return daysAgo(Number(text));
  const day = new Date(`${text}T00:00:00Z`);
  if (Number.isNaN(day.getTime()) || day.toISOString().slice(0, 10) !== text)
    throw badFields({ since: 'There is no such day' });
  return day.toISOString();
};

/** Each once and in one order, so that the same choice is counted once. */
const listOf = (text: string): string[] => [...new Set(text.split(','))].toSorted();

/** What is chosen of what is said of copies; undefined where nothing is, as then nothing can be unknown. */
const factsOf = (query: SearchQuery): FactsNarrowing | undefined => {
  const { binding, language, without, publisher } = query;
  const chosen = {
    ...(binding !== undefined && { bindings: listOf(binding) }),
    ...(language !== undefined && { languages: listOf(language) }),
    ...(query.signed === '1' && { signed: true as const }),
    ...(query.first === '1' && { first: true as const }),
    ...(query.jacket === '1' && { jacket: true as const }),
    ...(without !== undefined && { without: listOf(without) as Without[] }),
    ...(publisher !== undefined && { publisher }),
  };
  return Object.keys(chosen).length === 0 ? undefined : { ...chosen, orUnknown: query.unknown === '1' };
};

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
  sellerId: query.seller?.toLowerCase(),
  since: query.since === undefined ? undefined : sinceOf(query.since),
  reducedSince: query.reduced === undefined ? undefined : daysAgo(REDUCED_DAYS),
  facts: factsOf(query),
});

export const isNarrowed = (narrowing: Narrowing): boolean =>
  Object.values(narrowing).some((part) => part !== undefined && part !== false);
