import { sql } from 'kysely';
import type { CopyPromise } from '#contract/bookings/promise.ts';
import type { ListingPhoto } from '#contract/catalog/photos.ts';
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
  /** That the copy had when it was booked. */
  readonly photos: readonly Omit<ListingPhoto, 'id' | 'sample'>[];
  /** All that was promised, and its hash; null where that was not written down whole. */
  readonly terms: CopyPromise | null;
  readonly hash: Buffer | null;
  readonly priceCents: number;
  readonly postageCents: number;
  readonly refundingCents: number;
  readonly refundedCents: number;
}

const refunds = (states: string) =>
  sql<number>`coalesce((SELECT sum(r.amount_cents)::integer FROM refunds r WHERE r.payment_id = p.id AND r.state ${sql.raw(states)}), 0)`;

export const listOrderBooks = (db: Db, orderId: string): Promise<OrderBookRow[]> =>
  db
    .selectFrom('bookings as b')
    .innerJoin('listings as l', 'l.id', 'b.listing_id')
    .leftJoin('booking_promises as k', 'k.booking_id', 'b.id')
    .innerJoin('payments as p', (join) => join.onRef('p.booking_id', '=', 'b.id').on('p.outcome', '=', 'sale'))
    .select([
      'b.id as bookingId',
      'b.listing_id as listingId',
      'b.title',
      'b.authors',
      // What was fetched since is shown by us.
      sql<string>`picture_address(CASE WHEN b.image_url <> '' AND b.image_url = l.image_source THEN l.image_url ELSE b.image_url END)`.as(
        'image_url',
      ),
      sql<string>`coalesce(b.condition, '')`.as('condition'),
      sql<string>`coalesce(b.details, '')`.as('details'),
      sql<OrderBookRow['photos']>`coalesce((SELECT json_agg(json_build_object('name', f.name, 'width', f.width,
          'height', f.height, 'colour', f.colour, 'caption', i.caption) ORDER BY i.position)
        FROM promised_photos AS i JOIN photo_files AS f ON f.name = i.name WHERE i.booking_id = b.id), '[]')`.as(
        'photos',
      ),
      'k.promise as terms',
      'k.hash',
      'b.price_cents as priceCents',
      'p.postage_cents as postageCents',
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

/** Names of buyer and seller, and the phone of each: the first that is said with any of its bookings, or its copies. */
export interface Parties {
  readonly buyer: string;
  readonly seller: string;
  readonly sellerSlug: string;
  readonly buyerPhone: string;
  readonly sellerPhone: string;
}

/** Of an order's bookings, the oldest first, what the first says that says anything. */
const firstSaid = (column: string) =>
  sql<string>`coalesce((array_agg(${sql.ref(column)} ORDER BY b.created_at, b.id) FILTER (WHERE ${sql.ref(column)} <> ''))[1], '')`;

export const readParties = (db: Db, orderId: string): Promise<Parties> =>
  db
    .selectFrom('orders as o')
    .innerJoin('users as s', 's.id', 'o.seller_id')
    .innerJoin('bookings as b', 'b.order_id', 'o.id')
    .innerJoin('listings as l', 'l.id', 'b.listing_id')
    .select([
      firstSaid('b.buyer_name').as('buyer'),
      's.name as seller',
      sql<string>`coalesce(s.seller_slug, '')`.as('sellerSlug'),
      firstSaid('b.phone').as('buyerPhone'),
      firstSaid('l.phone').as('sellerPhone'),
    ])
    .where('o.id', '=', orderId)
    .groupBy(['s.name', 's.seller_slug'])
    .executeTakeFirstOrThrow();
