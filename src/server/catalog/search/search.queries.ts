import type { Listing } from '#contract/catalog/catalog.ts';
import type { SearchSort } from '#contract/catalog/search.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { memoise } from '#server/platform/memoise.ts';
import { noValues, prepared, queryLimited, queryPipelined, type Values } from '#server/platform/postgres/query.ts';
import { JsonText } from '#server/platform/json-text.ts';
import {
  arrayOf,
  LISTING_TABLES,
  listingRecord,
  NEWEST_FIRST,
  ON_THE_SHELF,
  positionText,
  type ShownContacts,
} from '#server/catalog/listings/listing-json.queries.ts';
import { narrowed, narrowedNewest, newestCopies, type Narrowing, type NewestNarrowed } from './narrowing.queries.ts';
import { isNarrowed } from './narrowing.ts';
import { isRareIn, type Way, type Ways } from './search-ways.ts';
import type { WordShares } from './word-shares.queries.ts';
import { allOf, foundBy, type TypedKey, type Wording } from './wording.ts';

/** Where a result goes on: the sort key of the last row (its tier, price or saving) with its time and id. */
export interface SearchPosition {
  readonly key: number;
  readonly at: string;
  readonly id: string;
}

export interface SearchPage {
  readonly limit: number;
  readonly after: SearchPosition | undefined;
  readonly contacts: ShownContacts;
  readonly sort: SearchSort;
  /** No copies of the books with these ISBNs. */
  readonly besides: readonly string[];
}

/** What is searched for. */
export interface Search {
  readonly wording: Wording;
  readonly narrowing: Narrowing;
  /** In any order but that of tiers: so few copies have the words that all of them are read. */
  readonly isRare: boolean;
  /** How the tiers are found, where they are the order. */
  readonly ways: Ways | undefined;
}

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

/** The last tier whose rows have all of the words in the title. */
export const LAST_TITLE_TIER = 2;

/** What a tier is: what its index finds, and what leaves out the rows of the tiers before. */
interface Tier {
  readonly found: string;
  readonly rest?: string;
  /** What the index finds where the planner cannot see that. */
  readonly range?: () => string;
}

/**
 * A value, as `add` named it, that the planner does not look at: the statement has one plan for all its values, so it
 * must be written for the kind of value that it is asked with.
 */
const unseen = (named: string, type: 'text' | 'tsquery'): string => `(SELECT ${named}::${type})`;

/**
 * The tiers of relevance, best first; none holds a row of another. The planner sees what is searched for unless it
 * `isHidden`.
 */
const tiersOf = (wording: Wording, { add }: Values, isHidden: boolean): (() => Tier)[] => {
  const { key, words, isbn13 } = wording;
  if (isbn13 !== undefined) return [() => ({ found: `l.isbn13 = ${add(isbn13)} AND l.isbn13 <> ''` })];
  const text = (value: string): string => (isHidden ? unseen(add(value), 'text') : add(value));
  const query = (value: string): string => (isHidden ? unseen(add(value), 'tsquery') : `${add(value)}::tsquery`);
  // Added when first named: PostgreSQL wants to know of no value that the text does not name.
  const title = memoise(() => text(key));
  const longer = memoise(() => text(`${key} %`));
  const all = memoise(() => query(allOf(words)));
  const begins = memoise(() => query(foundBy(wording)));
  const isHalfTyped = foundBy(wording) !== allOf(words);
  return [
    () => ({ found: `l.title_key = ${title()}` }),
    () => ({
      found: `l.title_key LIKE ${longer()}`,
      // Whatever begins with the key and a space: the exclamation mark comes right after the space.
      range: () => `l.title_key ~>=~ ${text(`${key} `)} AND l.title_key ~<~ ${text(`${key}!`)}`,
    }),
    () => ({
      found: `l.title_words @@ ${all()}`,
      rest: `l.title_key <> ${title()} AND l.title_key NOT LIKE ${longer()}`,
    }),
    () => ({ found: `l.words @@ ${all()}`, rest: `NOT l.title_words @@ ${all()}` }),
    ...(isHalfTyped
      ? [
          () => ({
            found: `l.words @@ ${begins()}`,
            rest: `NOT l.words @@ ${all()} AND NOT l.title_words @@ ${all()}`,
          }),
        ]
      : []),
  ];
};

/**
 * What a wording finds, in any tier: the one predicate of lists, counts and choices. A title is asked by itself, as its
 * last initial may have been joined to those of the author ("Washington D.C.", "E. B. White"). Nothing typed finds
 * everything.
 */
export const found = (wording: Wording, { add }: Values): string[] => {
  const { words, isbn13 } = wording;
  if (isbn13 !== undefined) return [`l.isbn13 = ${add(isbn13)} AND l.isbn13 <> ''`];
  if (words.length === 0) return [];
  return [`(l.words @@ ${add(foundBy(wording))}::tsquery OR l.title_words @@ ${add(allOf(words))}::tsquery)`];
};

const placeOf = ({ at, id }: SearchPosition, { add }: Values): string => `(${add(at)}::timestamptz, ${add(id)}::uuid)`;

interface TierPage {
  readonly place: number;
  readonly newest: NewestNarrowed;
  readonly shared: readonly string[];
  readonly beyond: readonly string[];
  readonly limit: number;
}

/** The first rows of a tier, newest first: found in the given way, or as the planner sees fit. */
const idsOf = (
  { found, rest, range }: Tier,
  way: Way | undefined,
  { place, newest: { tables, order }, shared, beyond, limit }: TierPage,
): string => {
  const ordered = `ORDER BY ${order} LIMIT ${limit + 1}`;
  const where = (first: string, ...more: readonly string[]): string =>
    `WHERE ${[first, ...(rest === undefined ? [] : [rest]), ...shared, ...more].join(' AND ')}`;
  if (way === 'index') {
    // OFFSET keeps the order out of it: all of them are found first.
    const all = `SELECT l.published_at, l.id FROM listings AS l ${where(range?.() ?? found)} OFFSET 0`;
    const after = beyond.length === 0 ? '' : `WHERE ${beyond.join(' AND ')}`;
    return `(SELECT ${place} AS key, l.id FROM (${all}) AS l ${after} ${ordered})`;
  }
  // No index has what IS TRUE.
  const first = way === 'walk' ? `(${found}) IS TRUE` : found;
  return `(SELECT ${place} AS key, l.id FROM ${tables} ${where(first, ...beyond)} ${ordered})`;
};

const otherBooks = (besides: readonly string[], { add }: Values): string[] =>
  besides.length === 0 ? [] : [`l.isbn13 <> ALL (${add(besides)}::text[])`];

const isByTier = ({ wording }: Search, { sort }: SearchPage): boolean =>
  sort === 'relevance' && wording.words.length > 0;

/** Words alone say what is found: the statement has one plan for all of them. */
const isPlannedOnce = ({ narrowing, ways }: Search): boolean => ways !== undefined && !isNarrowed(narrowing);

/** Which tiers are read, by their places. */
interface TierSpan {
  readonly first: number;
  readonly last: number;
}

const tierCount = (wording: Wording): number => (foundBy(wording) === allOf(wording.words) ? 4 : 5);

/**
 * The first tiers of a narrowed search that alone are likely to fill its page, where there are others: PostgreSQL plans
 * each such search anew, and planning tiers that are not read took as long as reading those that are.
 */
const likelyTiers = (search: Search, page: SearchPage): TierSpan | undefined => {
  const { wording, narrowing, ways } = search;
  if (ways === undefined || !isByTier(search, page) || !isNarrowed(narrowing)) return undefined;
  // Of one publisher there is little: a page of it comes from all tiers.
  if (narrowing.facts?.publisher !== undefined) return undefined;
  const first = page.after?.key ?? 0;
  const last = ways.findIndex((way, place) => way === 'walk' && place >= first);
  return last < 0 || last >= tierCount(wording) - 1 ? undefined : { first, last };
};

/** These tiers, from that of the last row on, read one after the other until the page is full. */
const relevantIds = (
  search: Search,
  { after, limit, besides }: SearchPage,
  values: Values,
  { first, last }: TierSpan,
): string => {
  const { wording, narrowing, ways } = search;
  const isHidden = isPlannedOnce(search);
  const byCopies = memoise(() => newestCopies(narrowing, values, true));
  const byWhatIsSaid = memoise(() => narrowedNewest(narrowing, values));
  const others = otherBooks(besides, values);
  const tiers = tiersOf(wording, values, isHidden).flatMap((tierOf, place) => {
    if (place < Math.max(first, after?.key ?? 0) || place > last) return [];
    const tier = tierOf();
    // What narrows common words is weighed by PostgreSQL, for each search.
    const way = isHidden || ways?.[place] === 'index' ? ways?.[place] : undefined;
    const newest = way === 'index' || wording.isbn13 !== undefined ? byCopies() : byWhatIsSaid();
    const shared = [ON_THE_SHELF, ...newest.conditions, ...others];
    const beyond = place === after?.key ? [`${newest.place} < ${placeOf(after, values)}`] : [];
    return idsOf(tier, way, { place, newest, shared, beyond, limit });
  });
  return `SELECT tiers.key, tiers.id FROM (${tiers.join(' UNION ALL ')}) AS tiers LIMIT ${limit + 1}`;
};

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

const ALL_TIERS: TierSpan = { first: 0, last: Infinity };

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
