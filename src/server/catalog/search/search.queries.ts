import type { Listing } from '#contract/catalog/catalog.ts';
import type { SearchSort } from '#contract/catalog/search.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { noValues, prepared, queryLimited, queryPipelined, type Values } from '#server/platform/postgres/query.ts';
import { JsonText } from '#server/platform/json-text.ts';
import {
  arrayOf,
  LISTING_TABLES,
  listingRecord,
  NEWEST_FIRST,
  ON_THE_SHELF,
  positionText,
} from '#server/catalog/listings/listing-json.queries.ts';
import { narrowed, narrowedNewest, newestCopies, type Narrowing } from './narrowing.queries.ts';
import type { Search, SearchPage, SearchPosition } from './tiers/search-page.ts';
import { isRareIn } from './tiers/search-ways.ts';
import {
  ALL_TIERS,
  found,
  isByTier,
  isPlannedOnce,
  likelyTiers,
  otherBooks,
  placeOf,
  relevantIds,
  type TierSpan,
} from './tiers/tiers.queries.ts';
import type { WordShares } from './word-shares.queries.ts';
import type { TypedKey, Wording } from './wording.ts';

/** One page of what is found. */
export interface Found {
  readonly listings: JsonText<Listing[]>;
  /** How many there are, as far as one more than a page. */
  readonly rows: number;
  /** The tier of the first row, where the order is that of tiers. */
  readonly tier: number | undefined;
  /** The last row of the page where there are more. */
  readonly last: SearchPosition | undefined;
}

const SAVING = '(l.original_cents - l.resale_cents)';

const SORTS = {
  'price-up': { key: 'l.resale_cents', order: 'l.resale_cents, l.id', place: '(l.resale_cents, l.id)', beyond: '>' },
  'price-down': {
    key: 'l.resale_cents',
    order: 'l.resale_cents DESC, l.id DESC',
    place: '(l.resale_cents, l.id)',
    beyond: '<',
  },
  saving: { key: SAVING, order: `${SAVING} DESC, l.id DESC`, place: `(${SAVING}, l.id)`, beyond: '<' },
} as const satisfies Partial<Record<SearchSort, { key: string; order: string; place: string; beyond: '<' | '>' }>>;

/** Where copies are looked for in an order; where few are found, all of them are, and the order has no say in it. */
export const fromWhere = (
  isRare: boolean,
  tables: string,
  where: readonly string[],
  beyond: readonly string[],
): string => {
  if (!isRare) return `FROM ${tables} WHERE ${[...where, ...beyond].join(' AND ')}`;
  const all = `SELECT l.* FROM ${tables} WHERE ${where.join(' AND ')} OFFSET 0`;
  return `FROM (${all}) AS l ${beyond.length === 0 ? '' : `WHERE ${beyond.join(' AND ')}`}`;
};

/** The newest first, which is also the order of what no words were typed for. */
const newestIds = ({ wording, narrowing, isRare }: Search, page: SearchPage, values: Values): string => {
  const { after, limit, besides } = page;
  const matching = found(wording, values);
  const newest = isRare ? newestCopies(narrowing, values, true) : narrowedNewest(narrowing, values);
  const { tables, conditions, order, place } = newest;
  const beyond = after === undefined ? [] : [`${place} < ${placeOf(after, values)}`];
  const where = [ON_THE_SHELF, ...matching, ...conditions, ...otherBooks(besides, values)];
  return `SELECT 0 AS key, l.id ${fromWhere(isRare, tables, where, beyond)} ORDER BY ${order} LIMIT ${limit + 1}`;
};

const sortedIds = (
  { wording, narrowing, isRare }: Search,
  sort: keyof typeof SORTS,
  { after, limit, besides }: SearchPage,
  values: Values,
): string => {
  const { key, order, place, beyond } = SORTS[sort];
  const matching = [...found(wording, values), ...narrowed(narrowing, values, isRare), ...otherBooks(besides, values)];
  const last = (position: SearchPosition): string =>
    `(${values.add(position.key)}::integer, ${values.add(position.id)}::uuid)`;
  const further = after === undefined ? [] : [`${place} ${beyond} ${last(after)}`];
  const from = fromWhere(isRare, 'listings AS l', [ON_THE_SHELF, ...matching], further);
  return `SELECT ${key} AS key, l.id ${from} ORDER BY ${order} LIMIT ${limit + 1}`;
};

/** The ids of one page with their sort keys, and the order in which they are shown. */
const idsOfPage = (
  search: Search,
  page: SearchPage,
  values: Values,
  tiers: TierSpan,
): { ids: string; order: string } => {
  const { sort } = page;
  if (sort !== 'relevance' && sort !== 'newest')
    return { ids: sortedIds(search, sort, page, values), order: SORTS[sort].order };
  const ids = isByTier(search, page) ? relevantIds(search, page, values, tiers) : newestIds(search, page, values);
  return { ids, order: `found.key, ${NEWEST_FIRST}` };
};

interface FoundRow {
  readonly json: string;
  readonly rows: number;
  readonly first: number | null;
  readonly key: number | null;
  readonly at: string | null;
  readonly id: string | null;
}

/** One page of what is found, written in one statement; the key of its last row is the row's tier, price or saving. */
const selectFound = async (db: Db, search: Search, page: SearchPage, tiers = ALL_TIERS): Promise<Found> => {
  const { limit, contacts } = page;
  const values = noValues();
  const byTier = isByTier(search, page);
  const { ids, order } = idsOfPage(search, page, values, tiers);
  const record = listingRecord(contacts.of, contacts.of === 'seller' ? values.add(contacts.id) : '');
  const text = `SELECT ${arrayOf('p.listing', limit)} AS json, count(*)::integer AS rows, (array_agg(p.key))[1] AS first,
      (array_agg(p.key))[${limit}] AS key,
      ${positionText(`(array_agg(p.at))[${limit}]`)} AS at, (array_agg(p.id))[${limit}] AS id
    FROM (SELECT ${record} AS listing, found.key, l.published_at AS at, l.id
      FROM ${LISTING_TABLES} JOIN (${ids}) AS found ON found.id = l.id ORDER BY ${order}) AS p`;
  // Reading on has limits of its own: each would be one more statement to keep.
  const isPrepared = isPlannedOnce(search) && page.besides.length === 0;
  const [row] = await queryLimited<FoundRow>(db, isPrepared ? prepared('found', text) : text, values.all);
  if (row === undefined) throw new Error('an aggregate without a row');
  const { json, rows, first, key, at, id } = row;
  const isMore = rows > limit && key !== null && at !== null && id !== null;
  return {
    listings: new JsonText(json),
    rows,
    tier: byTier ? (first ?? undefined) : undefined,
    last: isMore ? { key, at, id } : undefined,
  };
};

const joined = (one: Found['listings'], other: Found['listings']): Found['listings'] => {
  const parts = [one, other].map(({ json }) => json.slice(1, -1)).filter((part) => part !== '');
  return new JsonText(`[${parts.join(',')}]`);
};

/** One page of what is found; in two statements where the first tiers do not fill it, against expectation. */
export const selectFoundJson = async (db: Db, search: Search, page: SearchPage): Promise<Found> => {
  const likely = likelyTiers(search, page);
  if (likely === undefined) return selectFound(db, search, page);
  const best = await selectFound(db, search, page, likely);
  if (best.rows > page.limit) return best;
  // Whether anything comes after a page that they fill to the last row is told by all tiers together.
  if (best.rows === page.limit) return selectFound(db, search, page);
  const rest = { ...page, limit: page.limit - best.rows, after: undefined };
  const further = await selectFound(db, search, rest, { first: likely.last + 1, last: Infinity });
  return {
    listings: joined(best.listings, further.listings),
    rows: best.rows + further.rows,
    tier: best.tier ?? further.tier,
    last: further.last,
  };
};

/** Counts as far as `atMost`: all there are where they are few, else while walking in an order. */
const countAs = (isRare: boolean, where: string, order: string, atMost: number): string =>
  isRare
    ? `SELECT least(count(*), ${atMost})::integer AS count FROM listings AS l WHERE ${where}`
    : `SELECT count(*)::integer AS count FROM (
        SELECT FROM listings AS l WHERE ${where} ${order} LIMIT ${atMost}) AS counted`;

/** How many copies are found by each wording, counted as far as `atMost`. */
export const countFound = async (
  db: Db,
  shares: WordShares,
  wordings: readonly Wording[],
  atMost: number,
): Promise<number[]> => {
  if (wordings.length === 0) return [];
  const values = noValues();
  const counts = wordings.map((wording) => {
    const where = [ON_THE_SHELF, ...found(wording, values)].join(' AND ');
    return `(${countAs(isRareIn(wording, shares, atMost), where, `ORDER BY ${NEWEST_FIRST}`, atMost)})`;
  });
  const [row] = await queryLimited<{ counts: number[] }>(
    db,
    `SELECT ARRAY[${counts.join(', ')}] AS counts`,
    values.all,
  );
  return row?.counts ?? [];
};

/**
 * How many copies are listed for a wording with some choices, counted as far as `atMost`. By what is said of copies
 * they are counted in any order: few have what is rare, and ordering all of those would look each up.
 */
export const countListed = async (
  db: Db,
  shares: WordShares,
  wording: Wording,
  narrowing: Narrowing,
  atMost: number,
): Promise<number> => {
  const values = noValues();
  const isRare = isRareIn(wording, shares, atMost);
  const where = [ON_THE_SHELF, ...found(wording, values), ...narrowed(narrowing, values, isRare)].join(' AND ');
  const order = narrowing.facts === undefined ? `ORDER BY ${NEWEST_FIRST}` : '';
  const text = countAs(isRare, where, order, atMost);
  const [row] = await queryLimited<{ count: number }>(db, text, values.all);
  return row?.count ?? 0;
};

const SEARCH_KEY = prepared(
  'search_key',
  `SELECT key, ARRAY(SELECT token FROM ts_parse('default', key) WHERE tokid <> 12) AS words FROM search_text($1) AS key`,
);

/** What search_text makes of a text, and the words in it as to_tsvector parts them. */
export const searchKeyOf = async (db: Db, text: string): Promise<TypedKey> => {
  const [row] = await queryPipelined<TypedKey>(db, SEARCH_KEY, [text]);
  return row ?? { key: '', words: [] };
};
