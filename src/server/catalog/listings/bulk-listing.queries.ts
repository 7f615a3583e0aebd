import { sql } from 'kysely';
import type { Db } from '#server/platform/postgres/db.ts';
import type { NewListing } from './listing.queries.ts';

/** A copy that is listed together with many others. */
export interface BulkListing extends NewListing {
  /** What a repeated run knows the copy by, a seller's own; null where there is no such run. */
  readonly importKey: string | null;
  readonly publishedAt: Date;
}

/**
 * Lists a batch in one statement, so all of it or nothing; copies whose key their seller has already stay as they are.
 * Answers the keys that were added.
 */
export const insertListings = async (db: Db, batch: readonly BulkListing[]): Promise<(string | null)[]> => {
  const column = <K extends keyof BulkListing>(name: K): BulkListing[K][] => batch.map((row) => row[name]);
  const { rows } = await sql<{ import_key: string | null }>`
    INSERT INTO listings (seller_id, category_id, import_key, title, authors, isbn13, published_year, publisher,
      image_url, original_cents, original_known, resale_cents, years_of_use, years_known, location, phone, details, condition, published_at)
    SELECT * FROM unnest(
      ${column('sellerId')}::uuid[], ${column('categoryId')}::text[], ${column('importKey')}::text[],
      ${column('title')}::text[], ${column('authors')}::text[], ${column('isbn13')}::text[],
      ${column('publishedYear')}::integer[], ${column('publisher')}::text[], ${column('imageUrl')}::text[],
      ${column('originalCents')}::integer[], ${column('originalKnown')}::boolean[], ${column('resaleCents')}::integer[],
      ${column('yearsOfUse')}::numeric[], ${column('yearsKnown')}::boolean[], ${column('location')}::text[],
      ${column('phone')}::text[], ${column('details')}::text[], ${column('condition')}::text[],
      ${column('publishedAt')}::timestamptz[]
    )
    ON CONFLICT (seller_id, import_key) DO NOTHING
    RETURNING import_key`.execute(db);
  return rows.map((row) => row.import_key);
};

/** The database's clock, which every `published_at` follows. */
export const readClock = async (db: Db): Promise<Date> => {
  const { rows } = await sql<{ now: Date }>`SELECT now()`.execute(db);
  return rows[0]?.now ?? new Date();
};

/**
 * After many additions: lists are counted from the index alone and planned by true numbers at once, not minutes later.
 */
export const refreshStatistics = async (db: Db): Promise<void> => {
  await sql`VACUUM (ANALYZE) listings`.execute(db);
};
