import { sql } from 'kysely';
import type { ListingStatus } from '#contract/catalog/catalog.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';
import { NEW_FEED_TOKEN } from '#server/wants/feed-token.ts';

export interface WishRow {
  readonly listingId: string;
  readonly title: string;
  readonly authors: string;
  readonly image_url: string;
  readonly price: number;
  readonly status: ListingStatus;
  readonly since: Date;
}

export const listWishRows = (db: Db, userId: string): Promise<WishRow[]> =>
  db
    .selectFrom('wishes as w')
    .innerJoin('listings as l', 'l.id', 'w.listing_id')
    .select([
      'w.listing_id as listingId',
      'l.title',
      'l.authors',
      sql<string>`picture_address(l.image_url)`.as('image_url'),
      sql<number>`l.resale_cents / 100.0::float8`.as('price'),
      sql<ListingStatus>`listing_status(l.status)`.as('status'),
      'w.since',
    ])
    .where('w.user_id', '=', userId)
    .orderBy('w.since', 'desc')
    .orderBy('w.listing_id')
    .execute();

export const listWishIds = async (db: Db, userId: string): Promise<string[]> => {
  const rows = await db.selectFrom('wishes').select('listing_id as id').where('user_id', '=', userId).execute();
  return rows.map(({ id }) => id);
};

export const hasWish = async (db: Db, userId: string, listingId: string): Promise<boolean> =>
  (await db
    .selectFrom('wishes')
    .select('listing_id')
    .where('user_id', '=', userId)
    .where('listing_id', '=', listingId)
    .executeTakeFirst()) !== undefined;

/** Marks a copy at the price that it has now. */
export const insertWish = async (trx: Trx, userId: string, listingId: string): Promise<void> => {
  await sql`INSERT INTO wishes (user_id, listing_id, told_cents)
    SELECT ${userId}::uuid, id, resale_cents FROM listings WHERE id = ${listingId}::uuid
    ON CONFLICT DO NOTHING`.execute(trx);
};

export const deleteWish = async (db: Db, userId: string, listingId: string): Promise<void> => {
  await db.deleteFrom('wishes').where('user_id', '=', userId).where('listing_id', '=', listingId).execute();
};

/** So that of two that are made at once the second counts the first. */
export const lockWatchesOf = async (trx: Trx, userId: string): Promise<void> => {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`watches:${userId}`}, 0))`.execute(trx);
};

const countOf = async (trx: Trx, table: 'wishes' | 'saved_searches', userId: string): Promise<number> => {
  const row = await trx
    .selectFrom(table)
    .select(sql<number>`count(*)::integer`.as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return row.count;
};
export const countWishes = (trx: Trx, userId: string): Promise<number> => countOf(trx, 'wishes', userId);
export const countSearches = (trx: Trx, userId: string): Promise<number> => countOf(trx, 'saved_searches', userId);

export interface SearchRow {
  readonly id: string;
  readonly userId: string;
  readonly name: string;
  readonly query: string;
  readonly since: Date;
  readonly toldAt: Date;
  readonly token: string;
}

const searches = (db: Db) =>
  db
    .selectFrom('saved_searches')
    .select(['id', 'user_id as userId', 'name', 'query', 'since', 'told_at as toldAt', 'feed_token as token']);

export const listSearchRows = (db: Db, userId: string): Promise<SearchRow[]> =>
  searches(db).where('user_id', '=', userId).orderBy('since', 'desc').orderBy('id').execute();

export const findSearch = (db: Db, id: string): Promise<SearchRow | undefined> =>
  searches(db).where('id', '=', id).executeTakeFirst();

export const findSearchLike = (db: Db, userId: string, query: string): Promise<SearchRow | undefined> =>
  searches(db).where('user_id', '=', userId).where('query', '=', query).executeTakeFirst();

export const findSearchByToken = (db: Db, token: string): Promise<SearchRow | undefined> =>
  searches(db).where('feed_token', '=', token).executeTakeFirst();

export const insertSearch = async (
  trx: Trx,
  search: { id: string; userId: string; name: string; query: string },
): Promise<void> => {
  await trx
    .insertInto('saved_searches')
    .values({ id: search.id, user_id: search.userId, name: search.name, query: search.query })
    .execute();
};

export const deleteSearch = async (db: Db, id: string): Promise<void> => {
  await db.deleteFrom('saved_searches').where('id', '=', id).execute();
};

export const renewToken = async (db: Db, id: string): Promise<void> => {
  await db.updateTable('saved_searches').set({ feed_token: NEW_FEED_TOKEN }).where('id', '=', id).execute();
};

export const deleteWatchesOf = async (trx: Trx, userId: string): Promise<void> => {
  for (const table of ['wishes', 'saved_searches', 'digests'] as const)
    await trx.deleteFrom(table).where('user_id', '=', userId).execute();
};
