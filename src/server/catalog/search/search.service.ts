import type { Listing } from '#contract/catalog/catalog.ts';
import type {
  Facets,
  Near,
  SearchAnswer,
  SearchQuery,
  SearchSort,
  Suggestion,
  Understood,
} from '#contract/catalog/search.ts';
import { DEFAULT_WITHIN_KM, SINCE_DAYS } from '#contract/catalog/search-choices.ts';
import { cursorOf, limitOf, positionOf } from '#server/platform/cursor.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { badFields } from '#server/platform/errors.ts';
import type { Viewer } from '#server/platform/viewer.ts';
import { JsonText } from '#server/platform/json-text.ts';
import { respell } from './correction.service.ts';
import { isTogether } from './near-words.queries.ts';
import { countFacets } from './facets/facets.queries.ts';
import { gather, type Gathered } from './gathering.service.ts';
import { facetsOf } from './facets/facets.ts';
import { shownContacts } from '#server/catalog/listings/listing.policy.ts';
import { findLocations } from '#server/catalog/places/locations.queries.ts';
import { isPlaceId, locationsAround } from '#server/catalog/places/near.service.ts';
import { listReductions } from '#server/catalog/listings/price-changes.queries.ts';
import { shorten } from '#server/catalog/listings/shortening.service.ts';
import { findSuggestions } from './search-words.queries.ts';
import { daysAgo, isNarrowed, narrowingOf } from './narrowing.ts';
import type { Narrowing } from './narrowing.queries.ts';
import { readPlainWords, readWording, type PlainWords, type ReadAs } from './search-reading.service.ts';
import { countFound, countListed, selectFoundJson, type Found } from './search.queries.ts';
import type { SearchPage, SearchPosition } from './tiers/search-page.ts';
import { isRareIn, waysOf } from './tiers/search-ways.ts';
import { LAST_TITLE_TIER } from './tiers/tiers.queries.ts';
import { wordShares } from './word-shares.service.ts';
import { allBeginningWith, type Wording } from './wording.ts';

const CURSOR = /^([a-z-]{6,10})\.(-?\d{1,7})\.([\w-]{1,150})$/;

/** The cursor of the page after `row`: the order it belongs to, the row's sort key, and its place by time. */
const searchCursorOf = (row: SearchPosition, sort: SearchSort): string => `${sort}.${row.key}.${cursorOf(row)}`;

/** The position of a cursor of this order; 400 for any other. */
const searchPositionOf = (cursor: string | undefined, sort: SearchSort): SearchPosition | undefined => {
  if (cursor === undefined) return undefined;
  const [, order, key, position] = CURSOR.exec(cursor) ?? [];
  const place = order === sort ? positionOf(position) : undefined;
  if (place === undefined) throw badFields({ cursor: 'This is not a cursor of this list' });
  return { ...place, key: Number(key) };
};

/**
 * Facets and the number found are counted among so many newest copies that match the words; beyond that "or more" is as
 * good, and costs less. Where a choice leaves few of them, more are looked through, unless what is said of each has to
 * be looked up.
 */
const COUNTED = { words: 2_500, choices: 5_000 };
/**
 * What is listed is counted so far where it is older than all that are looked through; by what is said of copies, which
 * is looked up for each, as far as a page.
 */
const LISTED = { words: 5_000, facts: 24 };
const MOST_SUGGESTIONS = 8;
/** Below so many books a better wording is offered beside them. */
const FEW = 3;

/** One page for a wording, its words found in a way that is chosen here. */
const findPage = async (db: Db, wording: Wording, narrowing: Narrowing, page: SearchPage): Promise<Found> => {
  if (wording.words.length === 0 || wording.isbn13 !== undefined)
    return selectFoundJson(db, { wording, narrowing, isRare: false, ways: undefined }, page);
  const shares = await wordShares(db);
  const rows = page.limit + 1;
  const how =
    page.sort === 'relevance'
      ? { isRare: false, ways: waysOf(wording, shares, rows) }
      : { isRare: isRareIn(wording, shares, rows), ways: undefined };
  return selectFoundJson(db, { wording, narrowing, ...how }, page);
};

interface Result {
  readonly found: Found;
  readonly wording: Wording;
  readonly narrowing: Narrowing;
  readonly understood: Understood | null;
  readonly corrected: string | null;
  readonly instead: string | null;
  readonly leftOut: readonly string[];
}

/**
 * How many copies a wording finds, whatever was chosen beside it and wherever the page begins; counted as far as
 * matters.
 */
const countOf = async (
  db: Db,
  wording: Wording,
  narrowing: Narrowing,
  page: SearchPage,
  rows: number,
): Promise<number> => {
  const isWhole = rows >= FEW || (page.after === undefined && page.limit >= FEW && !isNarrowed(narrowing));
  return isWhole ? rows : ((await countFound(db, await wordShares(db), [wording], FEW))[0] ?? 0);
};

interface Asked {
  readonly query: SearchQuery;
  readonly wording: Wording;
  readonly narrowing: Narrowing;
  readonly page: SearchPage;
}

/** Whether a title has all that was typed, as the best match says already: then nothing else is meant by it. */
const isTitle = ({ tier }: Found, { after }: SearchPage): boolean =>
  after === undefined && tier !== undefined && tier <= LAST_TITLE_TIER;

/** "jane austin" is no Jane in Austin where there is a Jane Austen. */
const isMisspelt = async (db: Db, { words }: Wording, { isDoubtful }: ReadAs): Promise<boolean> =>
  isDoubtful && (await respell(db, words, 0)) !== undefined;

/** A misspelt rest beside plain words: "duen under $8". */
const respelt = async (db: Db, { all }: PlainWords, page: SearchPage): Promise<Result | undefined> => {
  if (all === undefined || all.wording.words.length === 0 || all.wording.isbn13 !== undefined) return undefined;
  const text = await respell(db, all.wording.words, 0);
  if (text === undefined) return undefined;
  const { narrowing, understood } = all;
  const wording = await readWording(db, text);
  const found = await findPage(db, wording, narrowing, page);
  if (found.rows === 0) return undefined;
  return { found, wording, narrowing, understood, corrected: text, instead: null, leftOut: [] };
};

const readAnew = async (
  db: Db,
  asTyped: Result,
  { wording, narrowing, understood, leftOut }: ReadAs,
  page: SearchPage,
) => ({
  ...asTyped,
  found: await findPage(db, wording, narrowing, page),
  wording,
  narrowing,
  understood,
  leftOut,
});

/**
 * What else may have been meant by words that find nothing, or hardly anything. It hangs on neither page nor order, so
 * that a page further on is of what the first one was. A few copies that have the words, but not together, are not what
 * was meant ("steven king").
 */
const corrected = async (db: Db, asked: Asked, asTyped: Result, plain: PlainWords | undefined): Promise<Result> => {
  const { wording, narrowing, page } = asked;
  const count = await countOf(db, wording, narrowing, page, asTyped.found.rows);
  if (count >= FEW) return asTyped;
  const whole = await respell(db, wording.words, count);
  if (count > 0 && whole === undefined) return asTyped;
  if (count > 0 && (await isTogether(db, wording.words))) return { ...asTyped, instead: whole ?? null };
  const rest = whole === undefined && plain !== undefined ? await respelt(db, plain, page) : undefined;
  if (rest !== undefined) return rest;
  if (whole === undefined && plain?.partly !== undefined) return readAnew(db, asTyped, plain.partly, page);
  const better =
    whole === undefined ? await shorten(db, wording.words, plain?.spare ?? new Set()) : { text: whole, leftOut: [] };
  if (better === undefined) return asTyped;
  const other = await readWording(db, better.text);
  const found = await findPage(db, other, narrowing, page);
  return { ...asTyped, found, wording: other, corrected: better.text, leftOut: better.leftOut };
};

/**
 * Finds what was typed. Where no title has all of it, plain words in it are read as choices; where nothing is found,
 * what else may have been meant is. What only the choices leave out is not misspelt.
 */
const findRows = async (db: Db, asked: Asked): Promise<Result> => {
  const { query, wording, narrowing, page } = asked;
  const found = await findPage(db, wording, narrowing, page);
  const asTyped = { found, wording, narrowing, understood: null, corrected: null, instead: null, leftOut: [] };
  if (wording.words.length === 0 || wording.isbn13 !== undefined) return asTyped;
  const plain = isTitle(found, page) ? undefined : await readPlainWords(db, query.q ?? '', query, narrowing);
  if (plain?.readAs !== undefined && !(await isMisspelt(db, wording, plain.readAs)))
    return readAnew(db, asTyped, plain.readAs, page);
  return corrected(db, asked, asTyped, plain);
};

/** Gives a text that everyone gets, by its key: counted now, or a moment ago. */
export type CacheCounts = (key: string, count: () => Promise<string>) => Promise<string>;

/** How many are listed, as far as `atMost`, where the page that was found tells; undefined where it does not. */
const listedHere = ({ rows }: Found, { after, limit }: SearchPage, atMost: number): number | undefined =>
  after === undefined && (rows <= limit || rows >= atMost) ? Math.min(rows, atMost) : undefined;

/** The same for every order and every page of a search, and however it was written. */
const countedFacets = (
  db: Db,
  cacheCounts: CacheCounts,
  { wording, narrowing, found }: Result,
  page: SearchPage,
): Promise<string> =>
  cacheCounts(JSON.stringify([wording.words, wording.isbn13, narrowing, SINCE_DAYS.map(daysAgo)]), async () => {
    const most = isNarrowed(narrowing) && narrowing.facts === undefined ? COUNTED.choices : COUNTED.words;
    const since = SINCE_DAYS.map(daysAgo);
    const { rows, walked } = await countFacets(db, { wording, narrowing, since, atMost: most });
    const isLeast = walked === most;
    const facets: Facets = facetsOf(rows, isLeast);
    // The newest that were looked through may leave out what a choice leaves; what is listed is counted all the same.
    const atMost = narrowing.facts === undefined ? LISTED.words : LISTED.facts;
    const isShort = isLeast && isNarrowed(narrowing) && facets.total < atMost;
    const listed = isShort
      ? (listedHere(found, page, atMost) ?? (await countListed(db, await wordShares(db), wording, narrowing, atMost)))
      : 0;
    return JSON.stringify({ ...facets, total: Math.max(facets.total, listed) });
  });

/** The page as it was found, or gathered by book where that was asked for; the copies of one book stand one by one. */
const pageOf = async (
  db: Db,
  { gather: gathers }: SearchQuery,
  { found, wording, narrowing }: Result,
  page: SearchPage,
): Promise<Pick<Gathered, 'listings' | 'last'> & Partial<Gathered>> => {
  if (gathers !== '1' || wording.isbn13 !== undefined) return found;
  const readOn = (further: SearchPage): Promise<Found> => findPage(db, wording, narrowing, further);
  return (await gather(db, found, narrowing, page, readOn)) ?? found;
};

const idsIn = ({ json }: JsonText<Listing[]>): string[] => (JSON.parse(json) as Listing[]).map(({ _id }) => _id);

const checkedSpan = (from: number | undefined, to: number | undefined, field: string): void => {
  if (from !== undefined && to !== undefined && from > to)
    throw badFields({ [field]: 'The first is above the second' });
};

/** Where is looked: by a distance, as it was found a moment ago, or in what begins with the name. */
const readNear = async (
  db: Db,
  { near, within }: SearchQuery,
  cacheCounts: CacheCounts,
): Promise<{ locations: readonly string[] | undefined; near: Near | null }> => {
  if (near === undefined) return { locations: undefined, near: null };
  if (within === undefined && !(await isPlaceId(near)))
    return { locations: await findLocations(db, [near]), near: null };
  const km = Number(within ?? DEFAULT_WITHIN_KM);
  const key = JSON.stringify(['near', near, km]);
  return JSON.parse(await cacheCounts(key, async () => JSON.stringify(await locationsAround(db, near, km))));
};

/**
 * Finds copies on the shelf. A search that finds nothing is corrected, words that no book has are left out, and the
 * answer says so. 400 for spans that are upside down and for a cursor of another order.
 */
export const searchListings = async (
  db: Db,
  viewer: Viewer,
  query: SearchQuery,
  cacheCounts: CacheCounts,
): Promise<JsonText<SearchAnswer>> => {
  const { locations, near } = await readNear(db, query, cacheCounts);
  const narrowing = narrowingOf(query, locations);
  checkedSpan(narrowing.minCents, narrowing.maxCents, 'min');
  checkedSpan(narrowing.fromYear, narrowing.toYear, 'from');
  const sort: SearchSort = query.sort ?? 'relevance';
  const limit = limitOf(query.limit);
  const page = {
    limit,
    sort,
    after: searchPositionOf(query.cursor, sort),
    contacts: shownContacts(viewer),
    besides: query.besides?.split(',') ?? [],
  };
  const wording = await readWording(db, query.q ?? '');
  const result = await findRows(db, { query, wording, narrowing, page });
  const { listings, last, books } = await pageOf(db, query, result, page);
  const rest: Omit<SearchAnswer, 'listings' | 'facets'> = {
    understood: result.understood,
    next: last === undefined ? null : searchCursorOf(last, sort),
    corrected: result.corrected,
    instead: result.instead,
    left_out: [...result.leftOut],
    near,
    ...(books !== undefined && { gathered: books }),
    ...(narrowing.reducedSince !== undefined && {
      reduced: await listReductions(db, idsIn(listings), narrowing.reducedSince),
    }),
  };
  const facets = query.facets === '1' ? `"facets":${await countedFacets(db, cacheCounts, result, page)},` : '';
  return new JsonText(`{"listings":${listings.json},${facets}${JSON.stringify(rest).slice(1)}`);
};

/** Titles and authors that fit what is being typed; none for fewer than two letters. */
export const suggestSearches = async (db: Db, typed: string): Promise<{ rows: Suggestion[] }> => {
  const { key, words } = await readWording(db, typed);
  if (key.length < 2) return { rows: [] };
  return { rows: await findSuggestions(db, { key, query: allBeginningWith(words) }, MOST_SUGGESTIONS) };
};
