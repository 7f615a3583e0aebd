import { sql, type SqlBool } from 'kysely';
import type { EditionCopy } from '#contract/catalog/editions/editions.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import type { ListingState } from './catalog.table.ts';

/** What tells the edition of a copy. */
export interface Edition {
  readonly isbn13: string;
  /** Title and authors as `search_text` writes them. */
  readonly titleKey: string;
  readonly authorsKey: string;
  readonly state: ListingState;
}

export const editionOf = (db: Db, listingId: string): Promise<Edition | undefined> =>
  db
    .selectFrom('listings as l')
    .select([
      'l.isbn13',
      sql<string>`l.title_key`.as('titleKey'),
      sql<string>`search_text(l.authors)`.as('authorsKey'),
      'l.status as state',
    ])
    .where('l.id', '=', listingId)
    .executeTakeFirst();

/**
 * The predicates of the partial indexes (db/migrations/0002-catalog.sql), word for word: without them they are not
 * used; and that a copy is free.
 */
const isOf = ({ isbn13, titleKey, authorsKey }: Edition) =>
  isbn13 === ''
    ? sql<SqlBool>`l.on_shelf AND l.status = 'available' AND l.isbn13 = '' AND l.title_key = ${titleKey} AND search_text(l.authors) = ${authorsKey}`
    : sql<SqlBool>`l.on_shelf AND l.status = 'available' AND l.isbn13 <> '' AND l.isbn13 = ${isbn13}`;

export interface Asked {
  /** The copy that is left out. */
  readonly listingId: string;
  readonly limit: number;
  readonly countAtMost: number;
}

/** The cheapest free copies of `edition` but one, each with how many there are: the statement. */
export const copiesOf = (db: Db, edition: Edition, { listingId, limit, countAtMost }: Asked) => {
  const others = sql<SqlBool>`${isOf(edition)} AND l.id <> ${listingId}`;
  return db
    .selectFrom('listings as l')
    .innerJoin('users as u', 'u.id', 'l.seller_id')
    .select([
      'l.id as _id',
      'l.title',
      'l.condition',
      sql<number>`l.years_of_use::float8`.as('years_of_use'),
      'l.years_known',
      sql<number>`CASE WHEN l.original_known THEN l.original_cents / 100.0::float8 ELSE 0 END`.as('original_price'),
      'l.original_known',
      sql<number>`l.resale_cents / 100.0::float8`.as('resale_price'),
      'l.location',
      'u.name as Seller',
      sql<string>`coalesce(u.seller_slug, '')`.as('seller_slug'),
      'u.verified as seller_verified',
      sql<'Available'>`'Available'`.as('status'),
      sql<number>`(SELECT count(*)::integer
        FROM (SELECT FROM listings AS l WHERE ${others} LIMIT ${countAtMost}) AS counted)`.as('count'),
    ])
    .where(others)
    .orderBy('l.resale_cents')
    .orderBy('l.id')
    .limit(limit);
};

export const listCopiesOf = (db: Db, edition: Edition, asked: Asked): Promise<(EditionCopy & { count: number })[]> =>
  copiesOf(db, edition, asked).execute();
