import { sql, type SqlBool } from 'kysely';
import type { Db, Trx } from '#server/platform/postgres/db.ts';
import { prepared, query, queryPrepared } from '#server/platform/postgres/query.ts';
import type { ListingState } from '#server/catalog/catalog.table.ts';
import type { CopyMove } from './copy-moves.ts';
import { ON_THE_SHELF } from './listing-json.queries.ts';

/** What booking needs to know of a copy; its price in cents. */
export interface CopyFacts {
  readonly id: string;
  readonly sellerId: string;
  readonly title: string;
  readonly authors: string;
  /** The name of a photo or the address of a picture that was not fetched yet, as `listings.image_url` has it. */
  readonly imageUrl: string;
  /** The address that its photo was fetched from, if it was. */
  readonly imageSource: string;
  readonly condition: string;
  readonly details: string;
  readonly priceCents: number;
  readonly status: ListingState;
}

/** The predicate of the partial indexes, word for word: without it they are not used. */
export const onTheShelf = sql<SqlBool>`${sql.raw(ON_THE_SHELF)}`;

/**
 * How many copies are on the shelf, by what was noted of them (db/migrations/0002-catalog.sql): counting millions takes
 * seconds.
 */
export const countListingRows = async (db: Db): Promise<number> => {
  const [row] = await query<{ count: number }>(
    db,
    'SELECT coalesce(sum(copies), 0)::integer AS count FROM shelf_changes',
    [],
  );
  return row?.count ?? 0;
};

/** Makes one row of all that was noted; whoever notes something meanwhile adds another. */
export const foldShelfChanges = async (db: Db): Promise<void> => {
  await query(
    db,
    `WITH folded AS (DELETE FROM shelf_changes RETURNING copies)
    INSERT INTO shelf_changes (copies) SELECT sum(copies) FROM folded HAVING count(*) > 0`,
    [],
  );
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
  readonly imageSource?: string;
  /** The price that is asked where it is not known. */
  readonly originalCents: number;
  readonly originalKnown: boolean;
  readonly resaleCents: number;
  /** 0 where they are not known. */
  readonly yearsOfUse: number;
  readonly yearsKnown: boolean;
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
      image_source: listing.imageSource ?? '',
      original_cents: listing.originalCents,
      original_known: listing.originalKnown,
      resale_cents: listing.resaleCents,
      years_of_use: listing.yearsOfUse,
      years_known: listing.yearsKnown,
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

/** What a copy's row says from now on that it is in a state. */
export const becoming = (state: ListingState) => ({
  status: state,
  on_shelf: state === 'available' || state === 'held',
  withdrawn_at: state === 'withdrawn' ? sql<Date>`now()` : null,
  updated_at: sql<Date>`now()`,
});

/**
 * Moves a copy from one state to another by one guarded statement: of two that want the same copy, one finds it in
 * another state. False when it was not in that state.
 */
export const moveListing = async <From extends ListingState>(
  trx: Trx,
  id: string,
  from: From,
  to: CopyMove<From>,
): Promise<boolean> => {
  const update = trx
    .updateTable('listings')
    .set(becoming(to))
    .where('id', '=', id)
    .where('status', '=', from)
    .returning('id');
  return (await queryPrepared(trx, 'move_listing', update)).length > 0;
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
      'l.image_source as imageSource',
      'l.condition',
      'l.details',
      'l.resale_cents as priceCents',
      'l.status',
    ]);

/** The copy, kept as it is until the transaction ends: whoever holds, sells, frees or edits it waits. */
export const lockCopyRow = (trx: Trx, id: string): Promise<CopyFacts | undefined> =>
  copies(trx).where('l.id', '=', id).forNoKeyUpdate().executeTakeFirst();

const LOCK_FREE_COPY = prepared(
  'lock_free_copy',
  `SELECT id, seller_id AS "sellerId", title, authors, image_url AS "imageUrl",
    image_source AS "imageSource", condition, details,
    resale_cents AS "priceCents", status
  FROM listings WHERE id = $1 AND status = 'available' FOR NO KEY UPDATE`,
);

/** The same of a copy that nobody has; one that somebody has is not locked, and does not keep its holder waiting. */
export const lockFreeCopyRow = async (trx: Trx, id: string): Promise<CopyFacts | undefined> =>
  (await query<CopyFacts>(trx, LOCK_FREE_COPY, [id]))[0];

/** Whether the seller of a copy is still in the shop, and not away with the whole shelf paused. */
export const hasPresentSeller = async (trx: Trx, id: string): Promise<boolean> => {
  const row = await trx
    .selectFrom('listings as l')
    .innerJoin('users as u', 'u.id', 'l.seller_id')
    .select('u.id')
    .where('l.id', '=', id)
    .where('u.deleted_at', 'is', null)
    .where(sql<SqlBool>`NOT is_paused(l.seller_id, false)`)
    .executeTakeFirst();
  return row !== undefined;
};

export const findCopy = async (db: Db, id: string): Promise<CopyFacts | undefined> =>
  (await queryPrepared(db, 'find_copy', copies(db).where('l.id', '=', id)))[0];

/** Copies on the shelf that look like this; two are enough to know that it names none. */
export const findCopiesLike = (
  db: Db,
  look: { title: string; imageUrl: string; priceCents: number },
): Promise<CopyFacts[]> =>
  copies(db)
    .where(onTheShelf)
    .where('l.title', '=', look.title)
    .where(sql<SqlBool>`${look.imageUrl} IN (l.image_url, l.image_source)`)
    .where('l.resale_cents', '=', look.priceCents)
    .limit(2)
    .execute();
