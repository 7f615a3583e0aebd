// What figures are compared with.
import type { News } from '#lab/bench/serve/news.ts';
import type { Alone, Compared } from '#lab/bench/serve/parts.ts';
import { medianOf } from './median.ts';
import { FACET_CHOICES } from '#lab/bench/serve/facet-choices.ts';
import { BASE_BOOKS } from '#lab/bench/serve/options.ts';

/** Results of a run by their names; `failed` says why one is not there. */
export interface Results {
  readonly pairs: Readonly<Record<string, Compared>>;
  readonly alone: Readonly<Record<string, Alone>>;
  readonly news?: News | undefined;
  /** Milliseconds from the start of a process to its first answer. */
  readonly starts?: readonly number[] | undefined;
  /** Megabytes of the shop's process. */
  readonly memory?: { readonly idle: number; readonly after: number; readonly highest: number } | undefined;
  readonly failed: Readonly<Record<string, string>>;
}

/** A comparison with a reference that was measured in the same run. */
export interface PairBar {
  readonly key: string;
  readonly what: string;
  readonly against: string;
  readonly least: number;
  /** Which part of what is asked of the cache it must have: a page that is rendered asks for the menu, too. */
  readonly kept: number;
}

export const PAIR_BARS: readonly PairBar[] = [
  {
    key: 'list-kept',
    what: 'category page, JSON, cached',
    against: 'bare node:http, same bytes',
    least: 0.8,
    kept: 1,
  },
  {
    key: 'page-kept',
    what: 'category page, server-rendered, cached',
    against: 'bare node:http, same bytes',
    least: 0.7,
    kept: 1,
  },
  {
    key: 'list',
    what: 'category page, JSON, not cached',
    against: 'node:http + one statement',
    least: 0.6,
    kept: 0,
  },
  {
    key: 'book',
    what: 'book by id, JSON, not cached',
    against: 'node:http + one statement',
    least: 0.6,
    kept: 0,
  },
  { key: 'deep', what: 'page 1,000', against: 'page 1', least: 0.9, kept: 0 },
  {
    key: 'search',
    what: 'word search, first page, without facets, not cached',
    against: 'node:http + one statement',
    least: 1.5,
    kept: 0,
  },
  {
    key: 'rendered',
    what: 'category page, server-rendered, not cached',
    against: "the router's streaming renderer",
    least: 0.6,
    kept: 1 / 3,
  },
  {
    key: 'booking',
    what: 'booking',
    against: 'node:http + the same transaction',
    least: 0.5,
    kept: 0,
  },
];

/** The rate at this size as a part of that at 100,000. */
export const growthBars = (books: number): PairBar[] => {
  const least = books >= 10_000_000 ? 0.75 : 0.9;
  const against = `at ${BASE_BOOKS.toLocaleString('en-US')}`;
  return [
    { key: 'growth-list', what: 'category page, JSON, not cached', against, least, kept: 0 },
    { key: 'growth-book', what: 'book by id, JSON, not cached', against, least, kept: 0 },
    { key: 'growth-deep', what: 'page 1,000', against, least, kept: 0 },
  ];
};

/** A figure that must not be above its bar. */
export interface Ceiling {
  readonly what: string;
  readonly unit: 'ms' | 'MB';
  readonly found: number | undefined;
  readonly most: number | undefined;
  /** The result that it is read from. */
  readonly key: string;
}

const FACETS_MS = new Map([
  [100_000, 40],
  [1_000_000, 120],
  [10_000_000, 400],
]);

/**
 * The bars in milliseconds and megabytes; those that the issue names for 100,000 listings only have no bar elsewhere.
 */
export const ceilingsOf = (books: number, { alone, starts, memory, news }: Results): Ceiling[] => {
  const atBase = <A>(bar: A): A | undefined => (books === BASE_BOOKS ? bar : undefined);
  const few = 'at 10 connections';
  return [
    {
      what: `word search, p99 ${few}`,
      unit: 'ms',
      found: alone['search-few']?.p99,
      // or what the reference has in the same hour
      most: atBase(Math.max(25, alone['search-few-reference']?.p99 ?? 0)),
      key: 'search-few',
    },
    {
      what: `search with facets, common word, p95 ${few}`,
      unit: 'ms',
      found: alone['facets-few']?.p95,
      most: FACETS_MS.get(books),
      key: 'facets-few',
    },
    ...Object.entries(FACET_CHOICES).map(([key, { what }]) => ({
      what: `the same, ${what} chosen, p95 ${few}`,
      unit: 'ms' as const,
      found: alone[key]?.p95,
      most: FACETS_MS.get(books),
      key,
    })),
    { what: `booking, p99 ${few}`, unit: 'ms', found: alone['booking-few']?.p99, most: undefined, key: 'booking-few' },
    {
      what: 'start, database up, to the first answer (median of five)',
      unit: 'ms',
      found: starts && medianOf(starts),
      most: 800,
      key: 'start',
    },
    { what: 'memory, nothing asked yet', unit: 'MB', found: memory?.idle, most: 160, key: 'memory' },
    { what: 'memory after the load', unit: 'MB', found: memory?.after, most: 240, key: 'memory' },
    { what: 'old state shown after a change, longest', unit: 'ms', found: news?.max, most: 100, key: 'news' },
  ];
};
