import { sql, type SqlBool } from 'kysely';
import type { Position } from '#server/platform/cursor.ts';
import type { Db } from '#server/platform/postgres/db.ts';

/** The orders of a buyer or of a seller as they were written down, the newest first, after a position. */
export const listOrdersToExport = (
  db: Db,
  of: { buyerId: string } | { sellerId: string },
  page: { limit: number; after: Position | undefined },
) =>
  db
    .selectFrom('orders as o')
    .leftJoin('order_problems as p', 'p.order_id', 'o.id')
    .select([
      'o.id',
      'o.state',
      'o.outcome',
      'o.delivery',
      'o.place',
      'o.pickup_times',
      'o.carrier',
      'o.tracking',
      sql<number>`o.postage_cents / 100.0::float8`.as('postage'),
      'p.kind as problem',
      'p.statement as problem_statement',
      'p.words as problem_words',
      sql<number | null>`p.offer_cents / 100.0::float8`.as('problem_offer'),
      'p.send_back as problem_send_back',
      'o.closed_at',
      sql<object[]>`(SELECT json_agg(json_build_object('move', e.move, 'state', e.to_state, 'by', e.by,
          'reason', e.reason, 'at', e.at) ORDER BY e.id)
        FROM order_events AS e WHERE e.order_id = o.id)`.as('timeline'),
      sql<string>`to_char(o.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`.as('at'),
    ])
    .where('buyerId' in of ? sql<SqlBool>`o.buyer_id = ${of.buyerId}` : sql<SqlBool>`o.seller_id = ${of.sellerId}`)
    // Where a parcel goes is its buyer's.
    .$if('buyerId' in of, (query) => query.select('o.address'))
    .$if(page.after !== undefined, (query) =>
      query.where(
        sql<SqlBool>`(o.created_at, o.id) < (${page.after?.at ?? ''}::timestamptz, ${page.after?.id ?? ''}::uuid)`,
      ),
    )
    .orderBy('o.created_at', 'desc')
    .orderBy('o.id', 'desc')
    .limit(page.limit)
    .execute();
