import { sql, type SqlBool } from 'kysely';
import type { ListingStatus } from '#contract/catalog/catalog.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';
import { becoming } from '#server/catalog/listings/listing.queries.ts';

/** Keeps a seller's shelf as it is until the transaction ends: copies that are about to be on it wait. */
export const lockShelf = async (trx: Trx, sellerId: string): Promise<void> => {
  await trx.selectFrom('users').select('id').where('id', '=', sellerId).forNoKeyUpdate().execute();
};

/** Says whether a copy is paused by itself. */
export const setPausedAlone = async (trx: Trx, id: string, pausedAlone: boolean): Promise<boolean> => {
  const { numUpdatedRows } = await trx
    .updateTable('listings')
    .set({ paused_alone: pausedAlone })
    .where('id', '=', id)
    .where('paused_alone', '!=', pausedAlone)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};

export const readStatus = async (db: Db, id: string): Promise<ListingStatus> => {
  const row = await db
    .selectFrom('listings as l')
    .select(sql<ListingStatus>`listing_status(l.status)`.as('status'))
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return row.status;
};

export interface ShelfPauseRow {
  readonly since: Date;
  /** As `2026-12-24`. */
  readonly until: string | null;
  /** It is over, and some copies are not back yet. */
  readonly hasEnded: boolean;
}

export const findShelfPause = (db: Db, sellerId: string): Promise<ShelfPauseRow | undefined> =>
  db
    .selectFrom('shelf_pauses')
    .select([
      'paused_at as since',
      sql<string | null>`until::text`.as('until'),
      sql<boolean>`ended_at IS NOT NULL`.as('hasEnded'),
    ])
    .where('seller_id', '=', sellerId)
    .executeTakeFirst();

/** The day of return begins at midnight of the zone, or at the first moment after it that the zone's clocks show. */
export const upsertShelfPause = async (
  trx: Trx,
  pause: { sellerId: string; until: string | null; timeZone: string },
): Promise<void> => {
  await sql`INSERT INTO shelf_pauses (seller_id, until, returns_at)
    VALUES (${pause.sellerId}, ${pause.until}::date, ${pause.until}::date::timestamp AT TIME ZONE ${pause.timeZone})
    ON CONFLICT (seller_id) DO UPDATE SET until = excluded.until, returns_at = excluded.returns_at,
      paused_at = CASE WHEN shelf_pauses.ended_at IS NULL THEN shelf_pauses.paused_at ELSE excluded.paused_at END,
      ended_at = NULL`.execute(trx);
};

/** Whether what of a seller comes to the shelf is hidden, as the database decides it. */
export const isShelfHidden = async (db: Db, sellerId: string): Promise<boolean> => {
  const { rows } = await sql<{ is: boolean }>`SELECT is_paused(${sellerId}, false) AS "is"`.execute(db);
  return rows[0]?.is === true;
};

/** Has a shelf that was hidden put back; one that its seller pauses stays. */
export const insertReturn = async (trx: Trx, sellerId: string): Promise<void> => {
  await sql`INSERT INTO shelf_pauses (seller_id, ended_at) VALUES (${sellerId}, shop_now())
    ON CONFLICT (seller_id) DO NOTHING`.execute(trx);
};

/** Hides what a seller has on the shelf and nobody holds; answers how many copies. */
export const hideShelf = async (trx: Trx, sellerId: string): Promise<number> => {
  const { numUpdatedRows } = await trx
    .updateTable('listings')
    .set(becoming('paused'))
    .where('seller_id', '=', sellerId)
    .where('status', '=', 'available')
    .executeTakeFirst();
  return Number(numUpdatedRows);
};

export const endShelfPause = async (trx: Trx, sellerId: string): Promise<void> => {
  await sql`UPDATE shelf_pauses SET ended_at = shop_now() WHERE seller_id = ${sellerId} AND ended_at IS NULL`.execute(
    trx,
  );
};

export const deleteShelfPause = async (db: Db, sellerId: string): Promise<void> => {
  await db.deleteFrom('shelf_pauses').where('seller_id', '=', sellerId).execute();
};

const withTheShelf = (db: Db, sellerId: string) =>
  db
    .selectFrom('listings')
    .where('seller_id', '=', sellerId)
    .where('status', '=', 'paused')
    .where('paused_alone', '=', false);

/** How many copies are paused because the whole shelf is. */
export const countHidden = async (db: Db, sellerId: string): Promise<number> => {
  const row = await withTheShelf(db, sellerId)
    .select(sql<number>`count(*)::integer`.as('count'))
    .executeTakeFirstOrThrow();
  return row.count;
};

/** How many orders of a seller are under way. */
export const countOpenOrdersOf = async (db: Db, sellerId: string): Promise<number> => {
  const row = await db
    .selectFrom('orders')
    .select(sql<number>`count(*)::integer`.as('count'))
    .where('seller_id', '=', sellerId)
    .where('closed_at', 'is', null)
    .executeTakeFirstOrThrow();
  return row.count;
};

/** Puts those back that nobody waits for. */
export const putShelfBack = async (trx: Trx, sellerId: string): Promise<void> => {
  await trx
    .updateTable('listings')
    .set(becoming('available'))
    .where('seller_id', '=', sellerId)
    .where('status', '=', 'paused')
    .where('paused_alone', '=', false)
    .where(sql<SqlBool>`NOT EXISTS (SELECT FROM waitlist_entries AS w WHERE w.listing_id = listings.id)`)
    .execute();
};

export const listHidden = async (db: Db, sellerId: string): Promise<string[]> =>
  (await withTheShelf(db, sellerId).select('id').orderBy('id').execute()).map(({ id }) => id);

/** Ends the pauses whose day of return has come. */
export const endDuePauses = async (db: Db): Promise<void> => {
  await sql`UPDATE shelf_pauses SET ended_at = shop_now() WHERE ended_at IS NULL AND returns_at <= shop_now()`.execute(
    db,
  );
};

/** Sellers who are back and whose copies may not all be. */
export const listReturned = async (db: Db): Promise<string[]> => {
  const rows = await db.selectFrom('shelf_pauses').select('seller_id').where('ended_at', 'is not', null).execute();
  return rows.map(({ seller_id }) => seller_id);
};
