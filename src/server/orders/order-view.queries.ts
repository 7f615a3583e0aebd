import { sql } from 'kysely';
import type { Db } from '#server/platform/postgres/db.ts';

/** A book of an order, in cents what was paid for it and what goes or went back. */
export interface OrderBookRow {
  readonly bookingId: string;
  readonly listingId: string;
  readonly title: string;
  readonly authors: string;
  readonly image_url: string;
  readonly condition: string;
  readonly details: string;
  readonly priceCents: number;
  readonly refundingCents: number;
  readonly refundedCents: number;
}

const refunds = (states: string) =>
  sql<number>`coalesce((SELECT sum(r.amount_cents)::integer FROM refunds r WHERE r.payment_id = p.id AND r.state ${sql.raw(states)}), 0)`;

export const listOrderBooks = (db: Db, orderId: string): Promise<OrderBookRow[]> =>
  db
    .selectFrom('bookings as b')
    .innerJoin('payments as p', (join) => join.onRef('p.booking_id', '=', 'b.id').on('p.outcome', '=', 'sale'))
    .select([
      'b.id as bookingId',
      'b.listing_id as listingId',
      'b.title',
      'b.authors',
      'b.image_url',
      sql<string>`coalesce(b.condition, '')`.as('condition'),
      sql<string>`coalesce(b.details, '')`.as('details'),
      'b.price_cents as priceCents',
      refunds(`<> 'done'`).as('refundingCents'),
      refunds(`= 'done'`).as('refundedCents'),
    ])
    .where('b.order_id', '=', orderId)
    .orderBy('b.created_at')
    .orderBy('b.id')
    .execute();

export interface OrderEventRow {
  readonly move: string;
  readonly state: string;
  readonly by: string;
  readonly reason: string;
  readonly at: Date;
}

/** The timeline, the first line first. */
export const listOrderEvents = (db: Db, orderId: string): Promise<OrderEventRow[]> =>
  db
    .selectFrom('order_events')
    .select(['move', 'to_state as state', 'by', 'reason', 'at'])
    .where('order_id', '=', orderId)
    .orderBy('id')
    .execute();

/** Names of buyer and seller, and how each is reached: by the booking's phone and place, and the copy's. */
export interface Parties {
  readonly buyer: string;
  readonly seller: string;
  readonly buyerPhone: string;
  readonly sellerPhone: string;
}

export const readParties = (db: Db, orderId: string): Promise<Parties> =>
  db
    .selectFrom('orders as o')
    .innerJoin('users as s', 's.id', 'o.seller_id')
    .innerJoin('bookings as b', 'b.order_id', 'o.id')
    .innerJoin('listings as l', 'l.id', 'b.listing_id')
    .select(['b.buyer_name as buyer', 's.name as seller', 'b.phone as buyerPhone', 'l.phone as sellerPhone'])
    .where('o.id', '=', orderId)
    .orderBy('b.created_at')
    .limit(1)
    .executeTakeFirstOrThrow();
