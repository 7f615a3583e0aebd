import { sql, type SqlBool } from 'kysely';
import type { Position } from '#server/platform/cursor.ts';
import type { Db } from '#server/platform/postgres/db.ts';

/** What a buyer began to pay and where it is to go, while the shop knows it; the newest first, after a position. */
export const listCheckoutsToExport = (db: Db, buyerId: string, page: { limit: number; after: Position | undefined }) =>
  db
    .selectFrom('checkouts as c')
    .select([
      'c.id',
      'c.delivery',
      'c.address',
      'c.place',
      sql<string[]>`(SELECT array_agg(x.booking_id ORDER BY x.booking_id)
        FROM checkout_bookings AS x WHERE x.checkout_id = c.id)`.as('booking_ids'),
      sql<string>`to_char(c.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`.as('at'),
    ])
    .where('c.buyer_id', '=', buyerId)
    .where(sql<SqlBool>`NOT EXISTS (SELECT FROM orders AS o WHERE o.id = c.id)`)
    .$if(page.after !== undefined, (query) =>
      query.where(
        sql<SqlBool>`(c.created_at, c.id) < (${page.after?.at ?? ''}::timestamptz, ${page.after?.id ?? ''}::uuid)`,
      ),
    )
    .orderBy('c.created_at', 'desc')
    .orderBy('c.id', 'desc')
    .limit(page.limit)
    .execute();

/**
 * Payments a user made or, as a seller, was paid for; the newest first, after a position. Of a sale nothing about its
 * buyer.
 */
export const listPaymentsToExport = (
  db: Db,
  of: { buyerId: string } | { sellerId: string },
  page: { limit: number; after: Position | undefined },
) =>
  db
    .selectFrom('payments as p')
    .innerJoin('bookings as b', 'b.id', 'p.booking_id')
    .innerJoin('listings as l', 'l.id', 'b.listing_id')
    .select([
      'p.id',
      'p.booking_id',
      'b.listing_id',
      'b.title',
      sql<number>`p.amount_cents / 100.0::float8`.as('amount'),
      'p.currency',
      sql<number>`p.postage_cents / 100.0::float8`.as('postage'),
      sql<number>`p.refunded_cents / 100.0::float8`.as('refunded'),
      sql<number>`coalesce((SELECT sum(s.amount_cents) FROM dispute_shares AS s WHERE s.payment_id = p.id), 0)
        / 100.0::float8`.as('disputed'),
      sql<string>`to_char(p.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`.as('at'),
    ])
    .where('buyerId' in of ? sql<SqlBool>`b.buyer_id = ${of.buyerId}` : sql<SqlBool>`l.seller_id = ${of.sellerId}`)
    .$if('buyerId' in of, (query) => query.select('p.provider_id as transaction_id'))
    .$if(page.after !== undefined, (query) =>
      query.where(
        sql<SqlBool>`(p.created_at, p.id) < (${page.after?.at ?? ''}::timestamptz, ${page.after?.id ?? ''}::uuid)`,
      ),
    )
    .orderBy('p.created_at', 'desc')
    .orderBy('p.id', 'desc')
    .limit(page.limit)
    .execute();
