import { sql, type SqlBool } from 'kysely';
import type { Position } from '#server/platform/cursor.ts';
import type { Db } from '#server/platform/postgres/db.ts';

const NAMELESS = 'Deleted user';

/**
 * Takes name, address, phone and place out of a buyer's bookings. Those that hold a copy keep them: the address is part
 * of what the provider was told and must not vary until their intent is cancelled. So do those of an order under way,
 * whose seller has to know whose it is.
 */
export const eraseBuyer = (db: Db, buyerId: string): Promise<unknown> =>
  db
    .updateTable('bookings as b')
    .set({ buyer_name: NAMELESS, buyer_email: '', phone: '', location: '' })
    .where('b.buyer_id', '=', buyerId)
    .where('b.buyer_email', '!=', '')
    .where(sql<SqlBool>`NOT EXISTS (SELECT FROM holds AS h WHERE h.booking_id = b.id)`)
    .where(sql<SqlBool>`NOT EXISTS (SELECT FROM checkout_bookings AS c WHERE c.booking_id = b.id AND c.is_live)`)
    .where(sql<SqlBool>`NOT EXISTS (SELECT FROM orders AS o WHERE o.id = b.order_id AND o.closed_at IS NULL)`)
    .execute();

/** Takes phone and place out of the bookings of orders. */
export const eraseContactOfOrders = async (db: Db, orderIds: readonly string[]): Promise<void> => {
  await db
    .updateTable('bookings')
    .set({ phone: '', location: '' })
    .where('order_id', 'in', [...orderIds])
    .where(sql<SqlBool>`(phone <> '' OR location <> '')`)
    .execute();
};

/** Drops the photos that a seller's bookings of these orders were promised. */
export const erasePromisedPhotos = (db: Db, sellerId: string, orderIds: readonly string[]): Promise<unknown> =>
  sql`WITH theirs AS (
      UPDATE bookings SET image_url = '' WHERE order_id = ANY (${orderIds}) AND seller_id = ${sellerId}
        AND length(image_url) = 22 RETURNING id)
    DELETE FROM promised_photos WHERE booking_id IN (SELECT id FROM theirs)`.execute(db);

export const hasNamedBookings = async (db: Db, buyerId: string): Promise<boolean> => {
  const row = await db
    .selectFrom('bookings')
    .select('id')
    .where('buyer_id', '=', buyerId)
    .where('buyer_email', '!=', '')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
};

export const deleteAnswersOf = (db: Db, userId: string): Promise<unknown> =>
  db.deleteFrom('idempotency_keys').where('user_id', '=', userId).execute();

/** A buyer's bookings as they were written down, the newest first, after a position. */
export const listBookingsToExport = (db: Db, buyerId: string, page: { limit: number; after: Position | undefined }) =>
  db
    .selectFrom('bookings as b')
    .leftJoin('booking_promises as k', 'k.booking_id', 'b.id')
    .select([
      'b.id',
      'b.listing_id',
      'b.title',
      'b.authors',
      sql<string>`picture_address(b.image_url)`.as('image_url'),
      sql<string[]>`ARRAY(SELECT i.name FROM promised_photos AS i WHERE i.booking_id = b.id ORDER BY i.position)`.as(
        'photos',
      ),
      'b.condition',
      'b.details',
      'k.promise',
      sql<string | null>`encode(k.hash, 'hex')`.as('promise_sha256'),
      'b.buyer_name as buyer',
      'b.buyer_email as email',
      'b.phone',
      'b.location',
      sql<number>`b.price_cents / 100.0::float8`.as('price'),
      'b.paid_at',
      'b.cancelled_at',
      sql<string>`to_char(b.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`.as('at'),
    ])
    .where('b.buyer_id', '=', buyerId)
    .$if(page.after !== undefined, (query) =>
      query.where(
        sql<SqlBool>`(b.created_at, b.id) < (${page.after?.at ?? ''}::timestamptz, ${page.after?.id ?? ''}::uuid)`,
      ),
    )
    .orderBy('b.created_at', 'desc')
    .orderBy('b.id', 'desc')
    .limit(page.limit)
    .execute();
