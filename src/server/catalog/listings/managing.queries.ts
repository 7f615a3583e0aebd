import { sql } from 'kysely';
import type { Db, Trx } from '#server/platform/postgres/db.ts';
import type { ListingState } from '#server/catalog/catalog.table.ts';

/** What an edit may change of a copy, as it is stored; prices in cents. */
export interface ListingFacts {
  readonly category_id: string;
  readonly title: string;
  readonly authors: string;
  readonly isbn13: string;
  readonly published_year: number | null;
  readonly publisher: string;
  readonly image_url: string;
  readonly image_source: string;
  readonly original_cents: number;
  readonly resale_cents: number;
  readonly years_of_use: number;
  readonly years_known: boolean;
  readonly original_known: boolean;
  readonly location: string;
  readonly phone: string;
  readonly details: string;
  readonly condition: 'Excellent' | 'Good' | 'Fair';
}

export type LockedListing = ListingFacts & { readonly sellerId: string; readonly state: ListingState };

const rows = (db: Db) =>
  db
    .selectFrom('listings')
    .select([
      'seller_id as sellerId',
      'status as state',
      'category_id',
      'title',
      'authors',
      'isbn13',
      'published_year',
      'publisher',
      'image_url',
      'image_source',
      'original_cents',
      'resale_cents',
      sql<number>`years_of_use::float8`.as('years_of_use'),
      'years_known',
      'original_known',
      'location',
      'phone',
      'details',
      'condition',
    ]);

/** A copy as it is at this moment. */
export const findListing = (db: Db, id: string): Promise<LockedListing | undefined> =>
  rows(db).where('id', '=', id).executeTakeFirst();

/**
 * A copy, kept as it is until the transaction ends: whoever holds, sells, edits or deletes it waits. A booking may be
 * written meanwhile (its foreign key asks for less), and finds out when it takes its hold.
 */
export const lockListing = (trx: Trx, id: string): Promise<LockedListing | undefined> =>
  rows(trx).where('id', '=', id).forNoKeyUpdate().executeTakeFirst();

export const updateListing = async (trx: Trx, id: string, changes: Partial<ListingFacts>): Promise<void> => {
  await trx
    .updateTable('listings')
    .set({ ...changes, updated_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute();
};

/** All categories by name, with how many copies each has, and how many of those are on the shelf. */
export const listCategoryUseRows = (
  db: Db,
): Promise<{ category_id: string; category_name: string; listings: number; on_sale: number }[]> =>
  db
    .selectFrom('categories as c')
    .leftJoin('listings as l', 'l.category_id', 'c.id')
    .select([
      'c.id as category_id',
      'c.name as category_name',
      sql<number>`count(l.id)::integer`.as('listings'),
      sql<number>`count(l.id) FILTER (WHERE l.on_shelf)::integer`.as('on_sale'),
    ])
    .groupBy(['c.id', 'c.name'])
    .orderBy(sql`lower(c.name)`)
    .orderBy('c.id')
    .execute();

/** The categories of these ids, for whom no copy can be listed until the transaction ends; locked in one order. */
export const lockCategories = (trx: Trx, ids: readonly string[]): Promise<{ id: string; name: string }[]> =>
  trx.selectFrom('categories').select(['id', 'name']).where('id', 'in', ids).orderBy('id').forUpdate().execute();

export const countCopiesOf = async (trx: Trx, categoryId: string): Promise<number> => {
  const row = await trx
    .selectFrom('listings')
    .select(sql<number>`count(*)::integer`.as('count'))
    .where('category_id', '=', categoryId)
    .executeTakeFirstOrThrow();
  return row.count;
};

export const updateCategoryName = async (trx: Trx, id: string, name: string): Promise<void> => {
  await trx.updateTable('categories').set({ name }).where('id', '=', id).execute();
};

/** Gives this transaction longer than a request usually has: a large category has a hundred thousand copies. */
export const allowSeconds = async (trx: Trx, seconds: number): Promise<void> => {
  await sql`SELECT set_config('statement_timeout', ${`${seconds}s`}, true)`.execute(trx);
};

/** Moves every copy of a category to another; answers how many. */
export const moveCopies = async (trx: Trx, from: string, into: string): Promise<number> => {
  const result = await trx
    .updateTable('listings')
    .set({ category_id: into, updated_at: sql<Date>`now()` })
    .where('category_id', '=', from)
    .executeTakeFirst();
  return Number(result.numUpdatedRows);
};

export const removeCategory = async (trx: Trx, id: string): Promise<void> => {
  await trx.deleteFrom('categories').where('id', '=', id).execute();
};
