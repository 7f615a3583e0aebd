import type { Listing } from '#contract/catalog.ts';
import { cursorOf, type Position } from '#server/platform/cursor.ts';
import type { Db } from '#server/platform/db.ts';
import { ask, noValues, type Values } from '#server/platform/statement.ts';
import { objectOf, Written, type WrittenPage } from '#server/platform/written.ts';
import type { ListingState } from './catalog.table.ts';

/** Which listings a list shows: those on the shelf, of all or of one category; or all of one seller, sold ones too. */
export type ListingFilter = { readonly categoryId?: string } | { readonly sellerId: string };

export interface ListingPage {
  readonly limit: number;
  readonly after: Position | undefined;
  /** Whether the seller's phone and address are shown. */
  readonly contact: boolean;
  /** How far the whole list is counted. */
  readonly countAtMost: number;
}

/** The predicate of the partial indexes, word for word: without it they are not used. */
export const ON_THE_SHELF = "l.status IN ('available', 'held')";
export const NEWEST_FIRST = 'l.published_at DESC, l.id DESC';

const timeText = (time: string, format: string): string => `to_char(${time} AT TIME ZONE 'UTC', '${format}')`;

/** A keyset position as `Position` has it, in the database's own resolution. */
export const positionText = (time: string): string => timeText(time, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"');

const jsonOf = (contact: boolean): string =>
  objectOf([
    ['_id', 'plain', 'l.id'],
    ['title', 'text', 'l.title'],
    ['authors', 'text', 'l.authors'],
    ['isbn13', 'plain', 'l.isbn13'],
    ['published_year', 'number or null', 'l.published_year'],
    ['publisher', 'text', 'l.publisher'],
    ['image_url', 'text', 'l.image_url'],
    ['Seller', 'text', 'u.name'],
    ['seller_verified', 'boolean', 'u.verified'],
    ['email', 'text', contact ? 'u.email' : "''::text"],
    ['phone', 'text', contact ? 'l.phone' : "''::text"],
    ['original_price', 'number', 'l.original_cents / 100.0::float8'],
    ['resale_price', 'number', 'l.resale_cents / 100.0::float8'],
    ['years_of_use', 'number', 'trim_scale(l.years_of_use)'],
    ['location', 'text', 'l.location'],
    ['published_date', 'plain', timeText('l.published_at', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')],
    ['details', 'text', 'l.details'],
    ['condition', 'plain', 'l.condition'],
    ['category_id', 'plain', 'l.category_id'],
    ['category_name', 'text', 'c.name'],
    ['status', 'plain', "CASE l.status WHEN 'available' THEN 'Available' WHEN 'held' THEN 'Reserved' ELSE 'Sold' END"],
    // read for the few copies of a page that somebody holds
    [
      'waiting',
      'number',
      "CASE WHEN l.status = 'held' THEN (SELECT count(*) FROM line_places AS w WHERE w.listing_id = l.id) ELSE 0 END",
    ],
  ]);

const JSON_FOR_ALL = jsonOf(false);
const JSON_WITH_CONTACT = jsonOf(true);

/** A listing as the contract has it, over `LISTING_TABLES`; with the seller's phone and address or without. */
export const listingJson = (contact: boolean): string => (contact ? JSON_WITH_CONTACT : JSON_FOR_ALL);

export const LISTING_TABLES =
  'listings AS l JOIN users AS u ON u.id = l.seller_id JOIN categories AS c ON c.id = l.category_id';

/** The first `limit` of the rows' texts as one JSON array, where the rows come in order and are one more. */
export const arrayOf = (json: string, limit: number): string =>
  `concat('[', array_to_string((array_agg(${json}))[1:${limit}], ','), ']')`;

const whereOf = (filter: ListingFilter, values: Values): string => {
  if ('sellerId' in filter) return `l.seller_id = ${values.add(filter.sellerId)} AND l.status <> 'withdrawn'`;
  return filter.categoryId === undefined
    ? ON_THE_SHELF
    : `${ON_THE_SHELF} AND l.category_id = ${values.add(filter.categoryId)}`;
};

/** One page of listings, newest first, written in one statement with the place of the next one and the length of the list. */
export const writeListings = async (
  db: Db,
  filter: ListingFilter,
  { limit, after, contact, countAtMost }: ListingPage,
): Promise<WrittenPage<Listing> & { total: number; isEmpty: boolean }> => {
  const values = noValues();
  const where = whereOf(filter, values);
  const beyond =
    after === undefined
      ? ''
      : ` AND (l.published_at, l.id) < (${values.add(after.at)}::timestamptz, ${values.add(after.id)}::uuid)`;
  // Numbers, not values: how many rows are wanted decides how they are best found.
  const [row] = await ask<{ json: string; at: string | null; id: string | null; rows: number; total: number }>(
    db,
    `SELECT ${arrayOf('p.json', limit)} AS json, count(*)::integer AS rows,
      CASE WHEN count(*) > ${limit} THEN ${positionText(`(array_agg(p.at))[${limit}]`)} END AS at, (array_agg(p.id))[${limit}] AS id,
      (SELECT count(*)::integer FROM (SELECT FROM listings AS l WHERE ${where} LIMIT ${countAtMost}) AS counted) AS total
    FROM (SELECT ${listingJson(contact)} AS json, l.published_at AS at, l.id FROM ${LISTING_TABLES}
      WHERE ${where}${beyond} ORDER BY ${NEWEST_FIRST} LIMIT ${limit + 1}) AS p`,
    values.all,
  );
  if (row === undefined) throw new Error('an aggregate without a row');
  const { json, at, id, rows, total } = row;
  return {
    written: new Written<Listing[]>(json),
    next: at === null || id === null ? undefined : cursorOf({ at, id }),
    total,
    isEmpty: rows === 0,
  };
};

const LISTING_BY_ID = [false, true].map(
  (contact) => `SELECT ${listingJson(contact)} AS json, l.status AS state FROM ${LISTING_TABLES} WHERE l.id = $1`,
);

/** One listing, whatever its state. */
export const writeListing = async (
  db: Db,
  id: string,
  contact: boolean,
): Promise<{ written: Written<Listing>; state: ListingState } | undefined> => {
  const [row] = await ask<{ json: string; state: ListingState }>(db, LISTING_BY_ID[contact ? 1 : 0] ?? '', [id]);
  return row && { written: new Written(row.json), state: row.state };
};
