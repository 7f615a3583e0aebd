import type { Condition } from '#contract/catalog.ts';
import { parseCents } from '#contract/money.ts';
import type { Facets, SearchAnswer, SearchQuery, SearchSort, Suggestion } from '#contract/search.ts';
import { limitOf } from '#server/platform/cursor.ts';
import type { Db } from '#server/platform/db.ts';
import { badFields } from '#server/platform/errors.ts';
import type { Viewer } from '#server/platform/viewer.ts';
import { Written } from '#server/platform/written.ts';
import { correct } from './correction.service.ts';
import { countFacets } from './facets.queries.ts';
import { facetsOf } from './facets.ts';
import { maySeeContact } from './listing.policy.ts';
import { searchCursorOf, searchPositionOf } from './search-cursor.ts';
import { findSuggestions } from './search-words.queries.ts';
import { searchKeyOf, writeFound, type Found, type Narrowing, type SearchPage } from './search.queries.ts';
import { waysOf } from './search-ways.ts';
import { readWordShares, type WordShares } from './word-shares.queries.ts';
import { allBeginningWith, asciiKey, isAscii, wordingOf, type Wording } from './wording.ts';

/**
 * Facets and the number found are counted among so many newest copies that match the words; beyond that "or more" is as good, and costs less. Where a choice leaves
 * few of them, more are looked through.
 */
const COUNTED = { words: 5_000, choices: 10_000 };
const MOST_SUGGESTIONS = 8;
/** Below so many books a better wording is offered beside them. */
const FEW = 3;

const yearOf = (text: string | undefined): number | undefined => (text === undefined ? undefined : Number(text));

const narrowingOf = (query: SearchQuery): Narrowing => ({
  categoryId: query.category,
  conditions: query.condition?.split(',') as Condition[] | undefined,
  minCents: query.min === undefined ? undefined : parseCents(query.min),
  maxCents: query.max === undefined ? undefined : parseCents(query.max),
  location: query.location,
  fromYear: yearOf(query.from),
  toYear: yearOf(query.to),
  verified: query.verified === '1',
  available: query.available === '1',
});

const isNarrowed = (narrowing: Narrowing): boolean =>
  Object.values(narrowing).some((part) => part !== undefined && part !== false);

/** The wording of what was typed; the database is asked only where accents or foreign letters are in it. */
const readWording = async (db: Db, typed: string): Promise<Wording> =>
  wordingOf(isAscii(typed) ? asciiKey(typed) : await searchKeyOf(db, typed), typed);

/** How common words are changes slowly, and what is known of it only decides how fast a search is. */
const SHARES_MAX_AGE_MS = 60_000;
const known = new WeakMap<Db, { shares: Promise<WordShares>; readAtMs: number }>();

const sharesOf = (db: Db): Promise<WordShares> => {
  const last = known.get(db);
  if (last !== undefined && performance.now() - last.readAtMs < SHARES_MAX_AGE_MS) return last.shares;
  const shares = readWordShares(db);
  known.set(db, { shares, readAtMs: performance.now() });
  // A failure is told to whoever asked and not remembered.
  shares.catch(() => known.delete(db));
  return shares;
};

/** One page for a wording; where words alone say what is found, in a way that is chosen here. */
const findPage = async (db: Db, wording: Wording, narrowing: Narrowing, page: SearchPage): Promise<Found> => {
  const isByTier = page.sort === 'relevance' && wording.words.length > 0 && wording.isbn13 === undefined;
  const ways = isByTier && !isNarrowed(narrowing) ? waysOf(wording, await sharesOf(db), page.limit + 1) : undefined;
  return writeFound(db, { wording, narrowing, ways }, page);
};

interface Result {
  readonly found: Found;
  readonly wording: Wording;
  readonly corrected: string | null;
  readonly instead: string | null;
  readonly leftOut: readonly string[];
}

/** Finds, and where nothing is found tries what else may have been meant; a page further on is of the wording that was found. */
const findRows = async (db: Db, wording: Wording, narrowing: Narrowing, page: SearchPage): Promise<Result> => {
  const asTyped = { wording, corrected: null, instead: null, leftOut: [] };
  const found = await findPage(db, wording, narrowing, page);
  const isEnough = found.rows >= FEW || page.after !== undefined;
  if (isEnough || wording.words.length === 0 || wording.isbn13 !== undefined) return { ...asTyped, found };
  const better = await correct(db, wording.words, found.rows);
  if (better === undefined) return { ...asTyped, found };
  if (found.rows > 0) return { ...asTyped, found, instead: better.text };
  const corrected = wordingOf(better.text);
  return {
    found: await findPage(db, corrected, narrowing, page),
    wording: corrected,
    corrected: better.text,
    instead: null,
    leftOut: better.leftOut,
  };
};

/** Gives a text that everyone gets, made once until a copy changes (src/server/http/kept-parts.ts). */
type KeepPart = (key: string, make: () => Promise<string>) => Promise<string>;

/** The same for every order and every page of a search, and however it was written. */
const countedFacets = (db: Db, keep: KeepPart, wording: Wording, narrowing: Narrowing): Promise<string> =>
  keep(JSON.stringify([wording.words, wording.isbn13, narrowing]), async () => {
    const most = isNarrowed(narrowing) ? COUNTED.choices : COUNTED.words;
    const { rows, walked } = await countFacets(db, wording, narrowing, most);
    return JSON.stringify(facetsOf(rows, walked === most) satisfies Facets);
  });

const checkedSpan = (from: number | undefined, to: number | undefined, field: string): void => {
  if (from !== undefined && to !== undefined && from > to)
    throw badFields({ [field]: 'The first is above the second' });
};

/**
 * Finds copies on the shelf. A search that finds nothing is corrected, words that no book has are left out, and the answer says so.
 * 400 for spans that are upside down and for a cursor of another order.
 */
export const searchListings = async (
  db: Db,
  viewer: Viewer,
  query: SearchQuery,
  keep: KeepPart,
): Promise<Written<SearchAnswer>> => {
  const narrowing = narrowingOf(query);
  checkedSpan(narrowing.minCents, narrowing.maxCents, 'min');
  checkedSpan(narrowing.fromYear, narrowing.toYear, 'from');
  const sort: SearchSort = query.sort ?? 'relevance';
  const limit = limitOf(query.limit);
  const page = { limit, sort, after: searchPositionOf(query.cursor, sort), contact: maySeeContact(viewer) };
  const wording = await readWording(db, query.q ?? '');
  const result = await findRows(db, wording, narrowing, page);
  const { listings, last } = result.found;
  const rest: Omit<SearchAnswer, 'listings' | 'facets'> = {
    next: last === undefined ? null : searchCursorOf(last, sort),
    corrected: result.corrected,
    instead: result.instead,
    left_out: [...result.leftOut],
  };
  const facets = query.facets === '1' ? `"facets":${await countedFacets(db, keep, result.wording, narrowing)},` : '';
  return new Written(`{"listings":${listings.json},${facets}${JSON.stringify(rest).slice(1)}`);
};

/** Titles and authors that fit what is being typed; none for fewer than two letters. */
export const suggestSearches = async (db: Db, typed: string): Promise<{ rows: Suggestion[] }> => {
  const { key, words } = await readWording(db, typed);
  if (key.length < 2) return { rows: [] };
  return { rows: await findSuggestions(db, { key, query: allBeginningWith(words) }, MOST_SUGGESTIONS) };
};
