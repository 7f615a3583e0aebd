import { sql, type SqlBool } from 'kysely';
import type { Position } from '#server/platform/cursor.ts';
import type { Db } from '#server/platform/postgres/db.ts';

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
