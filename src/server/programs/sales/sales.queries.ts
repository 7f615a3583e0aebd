import { sql } from 'kysely';
import type { Sale } from '#contract/programs/sales.ts';
import type { Position } from '#server/platform/cursor.ts';
import type { Db } from '#server/platform/postgres/db.ts';

export interface SaleRow extends Position {
  readonly state: string;
  readonly outcome: string | null;
  readonly delivery: Sale['delivery'];
  readonly paidAt: Date;
  readonly dueAt: Date | null;
  readonly books: Sale['books'];
}

const SALE = sql`o.id, o.state, o.outcome, o.delivery, o.created_at AS "paidAt", o.due_at AS "dueAt",
  to_char(o.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS at,
  coalesce((SELECT json_agg(json_build_object('booking_id', b.id, 'listing_id', b.listing_id, 'title', b.title,
      'price', b.price_cents / 100.0::float8,
      'sku', CASE WHEN s.sku IS NULL OR s.sku = b.listing_id::text THEN '' ELSE s.sku END) ORDER BY b.id)
    FROM bookings AS b LEFT JOIN stock_copies AS s ON s.listing_id = b.listing_id
    WHERE b.order_id = o.id), '[]') AS books`;

/** A page of what a seller sold, the newest first. */
export const listSaleRows = async (
  db: Db,
  sellerId: string,
  { limit, after }: { limit: number; after: Position | undefined },
): Promise<SaleRow[]> => {
  const beyond =
    after === undefined ? sql`` : sql`AND (o.created_at, o.id) < (${after.at}::timestamptz, ${after.id}::uuid)`;
  const { rows } = await sql<SaleRow>`
    SELECT ${SALE} FROM orders AS o WHERE o.seller_id = ${sellerId}::uuid ${beyond}
    ORDER BY o.created_at DESC, o.id DESC LIMIT ${limit}`.execute(db);
  return rows;
};

export const findSaleRow = async (db: Db, orderId: string): Promise<SaleRow | undefined> => {
  const { rows } = await sql<SaleRow>`SELECT ${SALE} FROM orders AS o WHERE o.id = ${orderId}::uuid`.execute(db);
  return rows[0];
};
