import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Condition } from '#contract/catalog.ts';
import type { SearchSort } from '#contract/search.ts';
import type { Db } from '#server/platform/db.ts';
import { listingRows, onTheShelf, type ListingRow } from './listing.queries.ts';
import { allBeginningWith, allOf, type Wording } from './wording.ts';

/** What narrows a result; prices in cents. */
export interface Narrowing {
  readonly categoryId: string | undefined;
  readonly conditions: readonly Condition[] | undefined;
  readonly minCents: number | undefined;
  readonly maxCents: number | undefined;
  readonly location: string | undefined;
  readonly fromYear: number | undefined;
  readonly toYear: number | undefined;
  readonly verified: boolean;
  readonly available: boolean;
}

/** Where a result goes on: the sort key of the last row (its tier, price or saving) with its time and id. */
export interface SearchPosition {
  readonly key: number;
  readonly at: string;
  readonly id: string;
}

export interface SearchPage {
  readonly limit: number;
  readonly after: SearchPosition | undefined;
  readonly contact: boolean;
  readonly sort: SearchSort;
}

export type FoundRow = ListingRow & { readonly key: number };

type Condit = RawBuilder<SqlBool>;

const and = (parts: readonly Condit[]): Condit => sql.join<SqlBool>([...parts], sql` AND `);

/** The predicates of a narrowing, on the alias `l`; each can stand alone. */
export const narrowingParts = (
  narrowing: Narrowing,
): Record<'category' | 'condition' | 'price' | 'location' | 'year' | 'verified' | 'available', Condit | undefined> => {
  const { categoryId, conditions, minCents, maxCents, location, fromYear, toYear } = narrowing;
  const price = [
    ...(minCents === undefined ? [] : [sql<SqlBool>`l.resale_cents >= ${minCents}`]),
    ...(maxCents === undefined ? [] : [sql<SqlBool>`l.resale_cents <= ${maxCents}`]),
  ];
  const year = [
    ...(fromYear === undefined ? [] : [sql<SqlBool>`l.published_year >= ${fromYear}`]),
    ...(toYear === undefined ? [] : [sql<SqlBool>`l.published_year <= ${toYear}`]),
  ];
  return {
    category: categoryId === undefined ? undefined : sql`l.category_id = ${categoryId}`,
    condition: conditions === undefined ? undefined : sql`l.condition = ANY (${conditions}::text[])`,
    price: price.length === 0 ? undefined : and(price),
    location: location === undefined ? undefined : sql`l.location = ${location}`,
    year: year.length === 0 ? undefined : and(year),
    verified: narrowing.verified
      ? sql`EXISTS (SELECT FROM users AS s WHERE s.id = l.seller_id AND s.verified)`
      : undefined,
    available: narrowing.available ? sql`l.status = 'available'` : undefined,
  };
};

const narrowed = (narrowing: Narrowing): Condit[] =>
  Object.values(narrowingParts(narrowing)).filter((part) => part !== undefined);

/**
 * The tiers of relevance, best first; none holds a row of another. Each is written so that the planner may walk an index of its own
 * or the newest copies, whichever ends sooner.
 */
const tiersOf = ({ key, words, isbn13 }: Wording): Condit[] => {
  if (isbn13 !== undefined) return [sql`l.isbn13 = ${isbn13} AND l.isbn13 <> ''`];
  const all = allOf(words);
  const begins = allBeginningWith(words);
  return [
    sql`l.title_key = ${key}`,
    sql`l.title_key LIKE ${`${key} %`}`,
    sql`l.title_words @@ ${all}::tsquery AND l.title_key <> ${key} AND l.title_key NOT LIKE ${`${key} %`}`,
    sql`l.words @@ ${all}::tsquery AND NOT l.title_words @@ ${all}::tsquery`,
    sql`l.words @@ ${begins}::tsquery AND NOT l.words @@ ${all}::tsquery`,
  ];
};

/** What a wording finds, in any tier but the last; nothing typed finds everything. */
export const found = ({ words, isbn13 }: Wording): Condit[] => {
  if (isbn13 !== undefined) return [sql`l.isbn13 = ${isbn13} AND l.isbn13 <> ''`];
  return words.length === 0 ? [] : [sql`l.words @@ ${allOf(words)}::tsquery`];
};

const newestFirst = sql`l.published_at DESC, l.id DESC`;

/** The tiers from that of the last row on, read one after the other until the page is full. */
const relevantIds = (wording: Wording, narrowing: Narrowing, page: SearchPage) => {
  const { after, limit } = page;
  const tiers = tiersOf(wording).flatMap((tier, place) => {
    const beyond = after !== undefined && place === after.key;
    if (after !== undefined && place < after.key) return [];
    const where = and([
      onTheShelf,
      tier,
      ...narrowed(narrowing),
      ...(beyond ? [sql<SqlBool>`(l.published_at, l.id) < (${after.at}::timestamptz, ${after.id}::uuid)`] : []),
    ]);
    return [
      sql`(SELECT ${sql.lit(place)} AS key, l.id FROM listings AS l WHERE ${where} ORDER BY ${newestFirst} LIMIT ${limit + 1})`,
    ];
  });
  return sql<{ key: number; id: string }>`(
    SELECT tiers.key, tiers.id FROM (${sql.join(tiers, sql` UNION ALL `)}) AS tiers LIMIT ${limit + 1})`;
};

const SAVING = sql`(l.original_cents - l.resale_cents)`;

const SORT_KEYS = {
  relevance: { key: sql`0`, order: newestFirst, beyond: '<' },
  newest: { key: sql`0`, order: newestFirst, beyond: '<' },
  'price-up': { key: sql`l.resale_cents`, order: sql`l.resale_cents, l.id`, beyond: '>' },
  'price-down': { key: sql`l.resale_cents`, order: sql`l.resale_cents DESC, l.id DESC`, beyond: '<' },
  saving: { key: SAVING, order: sql`${SAVING} DESC, l.id DESC`, beyond: '<' },
} as const;

const isByTime = (sort: SearchSort): boolean => sort === 'relevance' || sort === 'newest';

const sortedIds = (matching: readonly Condit[], page: SearchPage) => {
  const { after, limit, sort } = page;
  const { key, order, beyond } = SORT_KEYS[sort];
  const position = after && (isByTime(sort) ? sql`(l.published_at, l.id)` : sql`(${key}, l.id)`);
  const last =
    after &&
    (isByTime(sort) ? sql`(${after.at}::timestamptz, ${after.id}::uuid)` : sql`(${after.key}, ${after.id}::uuid)`);
  const where = and([
    onTheShelf,
    ...matching,
    ...(position && last ? [sql<SqlBool>`${position} ${sql.raw(beyond)} ${last}`] : []),
  ]);
  return sql<{ key: number; id: string }>`(
    SELECT ${key} AS key, l.id FROM listings AS l WHERE ${where} ORDER BY ${order} LIMIT ${limit + 1})`;
};

/** One page of what is found, and one row more; `key` is the row's tier, price or saving. */
export const searchRows = async (
  db: Db,
  wording: Wording,
  narrowing: Narrowing,
  page: SearchPage,
): Promise<FoundRow[]> => {
  const byTier = page.sort === 'relevance' && wording.words.length > 0;
  const ids = byTier
    ? relevantIds(wording, narrowing, page)
    : sortedIds([...found(wording), ...narrowed(narrowing)], page);
  const order = byTier ? sql`found.key, ${newestFirst}` : SORT_KEYS[page.sort].order;
  return listingRows(db, page.contact)
    .innerJoin(ids.as('found'), (join) => join.onRef('found.id', '=', 'l.id'))
    .select('found.key')
    .orderBy(order)
    .execute();
};

/** What search_text makes of a text. */
export const searchKeyOf = async (db: Db, text: string): Promise<string> => {
  const { rows } = await sql<{ key: string }>`SELECT search_text(${text}) AS key`.execute(db);
  return rows[0]?.key ?? '';
};
