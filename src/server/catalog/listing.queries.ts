import { sql, type SqlBool } from 'kysely';
import type { ListingStatus } from '#contract/catalog.ts';
import type { Position } from '#server/platform/cursor.ts';
import type { Db, Trx } from '#server/platform/db.ts';
import type { ListingState } from './catalog.table.ts';
import type { CopyMove } from './copy-moves.ts';

/** Which listings a list shows, and from where. */
export interface ListingFilter {
  readonly categoryId?: string | undefined;
  /** That seller's, sold ones too; otherwise only what can be found in the shop. */
  readonly sellerId?: string | undefined;
}

export interface ListingPage {
  readonly limit: number;
  readonly after: Position | undefined;
  /** Whether the seller's phone and address are shown. */
  readonly contact: boolean;
  /** How far the whole list is counted. */
  readonly countAtMost: number;
}

/** What booking needs to know of a copy; its price in cents. */
export interface CopyFacts {
  readonly id: string;
  readonly sellerId: string;
  readonly title: string;
  readonly authors: string;
  readonly imageUrl: string;
  readonly priceCents: number;
  readonly status: ListingState;
}

/** The predicate of the partial indexes, word for word: without it they are not used. */
export const onTheShelf = sql<SqlBool>`l.status IN ('available', 'held')`;

const matches = (filter: ListingFilter) =>
  sql.join<SqlBool>(
    [
      ...(filter.sellerId === undefined
        ? [onTheShelf]
        : [sql`l.seller_id = ${filter.sellerId}`, sql`l.status <> 'withdrawn'`]),
      ...(filter.categoryId === undefined ? [] : [sql`l.category_id = ${filter.categoryId}`]),
    ],
    sql` AND `,
  );

const timeText = (format: string) => sql<string>`to_char(l.published_at AT TIME ZONE 'UTC', ${sql.lit(format)})`;

export const listingRows = (db: Db, contact: boolean) =>
  db
    .selectFrom('listings as l')
    .innerJoin('users as u', 'u.id', 'l.seller_id')
    .innerJoin('categories as c', 'c.id', 'l.category_id')
    .select([
      'l.id as _id',
      'l.title',
      'l.authors',
      'l.isbn13',
      'l.published_year',
      'l.publisher',
      'l.image_url',
      'u.name as Seller',
      'u.verified as seller_verified',
      contact ? sql<string>`u.email`.as('email') : sql<string>`''`.as('email'),
      contact ? sql<string>`l.phone`.as('phone') : sql<string>`''`.as('phone'),
      sql<number>`l.original_cents / 100.0::float8`.as('original_price'),
      sql<number>`l.resale_cents / 100.0::float8`.as('resale_price'),
      sql<number>`l.years_of_use::float8`.as('years_of_use'),
      'l.location',
      timeText('YYYY-MM-DD"T"HH24:MI:SS.MS"Z"').as('published_date'),
      'l.details',
      'l.condition',
      'l.category_id',
      'c.name as category_name',
      sql<ListingStatus>`CASE l.status WHEN 'available' THEN 'Available' WHEN 'held' THEN 'Reserved' ELSE 'Sold' END`.as(
        'status',
      ),
      // read for the few copies of a page that somebody holds
      sql<number>`CASE WHEN l.status = 'held'
        THEN (SELECT count(*)::integer FROM line_places AS w WHERE w.listing_id = l.id) ELSE 0 END`.as('waiting'),
      'l.status as state',
      // the keyset position, in the database's own resolution
      'l.id as id',
      timeText('YYYY-MM-DD"T"HH24:MI:SS.US"Z"').as('at'),
    ]);

export type ListingRow = Awaited<ReturnType<ReturnType<typeof listingRows>['execute']>>[number];

const countOf = (filter: ListingFilter, atMost: number) =>
  sql<number>`(SELECT count(*)::integer
    FROM (SELECT FROM listings AS l WHERE ${matches(filter)} LIMIT ${atMost}) AS counted)`;

/** One page of listings and one row more, newest first; each row with the length of the whole list as `total`. */
export const listListingRows = (
  db: Db,
  filter: ListingFilter,
  page: ListingPage,
): Promise<(ListingRow & { total: number })[]> => {
  let query = listingRows(db, page.contact)
    .select(countOf(filter, page.countAtMost).as('total'))
    .where(matches(filter));
  if (page.after !== undefined) {
    const { at, id } = page.after;
    query = query.where(sql<SqlBool>`(l.published_at, l.id) < (${at}::timestamptz, ${id}::uuid)`);
  }
  return query
    .orderBy('l.published_at', 'desc')
    .orderBy('l.id', 'desc')
    .limit(page.limit + 1)
    .execute();
};

export const readListingRow = (db: Db, id: string, contact: boolean): Promise<ListingRow | undefined> =>
  listingRows(db, contact).where('l.id', '=', id).executeTakeFirst();

/** How many copies are on the shelf. */
export const countListingRows = async (db: Db): Promise<number> => {
  const row = await db
    .selectFrom('listings as l')
    .select(sql<number>`count(*)::integer`.as('count'))
    .where(onTheShelf)
    .executeTakeFirstOrThrow();
  return row.count;
};

export interface NewListing {
  readonly sellerId: string;
  readonly categoryId: string;
  readonly title: string;
  readonly authors: string;
  readonly isbn13: string;
  readonly publishedYear: number | null;
  readonly publisher: string;
  readonly imageUrl: string;
  readonly originalCents: number;
  readonly resaleCents: number;
  readonly yearsOfUse: number;
  readonly location: string;
  readonly phone: string;
  readonly details: string;
  readonly condition: 'Excellent' | 'Good' | 'Fair';
}

export const insertListing = async (trx: Trx, listing: NewListing): Promise<string> => {
  const row = await trx
    .insertInto('listings')
    .values({
      seller_id: listing.sellerId,
      category_id: listing.categoryId,
      title: listing.title,
      authors: listing.authors,
      isbn13: listing.isbn13,
      published_year: listing.publishedYear,
      publisher: listing.publisher,
      image_url: listing.imageUrl,
      original_cents: listing.originalCents,
      resale_cents: listing.resaleCents,
      years_of_use: listing.yearsOfUse,
      location: listing.location,
      phone: listing.phone,
      details: listing.details,
      condition: listing.condition,
      import_key: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
};

/** Moves a copy from one state to another in one guarded statement; false when it was not in that state. */
export const moveListing = async <From extends ListingState>(
  trx: Trx,
  id: string,
  from: From,
  to: CopyMove<From>,
): Promise<boolean> => {
  const result = await trx
    .updateTable('listings')
    .set({ status: to, updated_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where('status', '=', from)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
};

const copies = (db: Db) =>
  db
    .selectFrom('listings as l')
    .select([
      'l.id',
      'l.seller_id as sellerId',
      'l.title',
      'l.authors',
      'l.image_url as imageUrl',
      'l.resale_cents as priceCents',
      'l.status',
    ]);

/** The copy, kept as it is until the transaction ends: whoever holds, sells, frees or edits it waits. */
export const lockCopyRow = (trx: Trx, id: string): Promise<CopyFacts | undefined> =>
  copies(trx).where('l.id', '=', id).forNoKeyUpdate().executeTakeFirst();

/** Whether the seller of a copy is still there. */
export const hasSeller = async (trx: Trx, id: string): Promise<boolean> => {
  const row = await trx
    .selectFrom('listings as l')
    .innerJoin('users as u', 'u.id', 'l.seller_id')
    .select('u.id')
    .where('l.id', '=', id)
    .where('u.deleted_at', 'is', null)
    .executeTakeFirst();
  return row !== undefined;
};

export const findCopy = (db: Db, id: string): Promise<CopyFacts | undefined> =>
  copies(db).where('l.id', '=', id).executeTakeFirst();

/** Copies on the shelf that look like this; two are enough to know that it names none. */
export const findCopiesLike = (
  db: Db,
  look: { title: string; imageUrl: string; priceCents: number },
): Promise<CopyFacts[]> =>
  copies(db)
    .where(onTheShelf)
    .where('l.title', '=', look.title)
    .where('l.image_url', '=', look.imageUrl)
    .where('l.resale_cents', '=', look.priceCents)
    .limit(2)
    .execute();
