import { sql, type SqlBool } from 'kysely';
import type { CopyPromise } from '#contract/bookings/promise.ts';
import type { Position } from '#server/platform/cursor.ts';
import { SHOP_NOW } from '#server/platform/postgres/clock.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { IS_ONLY_OFFERED } from './booking.queries.ts';
import { COPY_PROMISE, HAS_PROMISED_PICTURE } from './holds/promise.queries.ts';

/** How positions in lists write a time. */
const MICROSECONDS = sql.lit('YYYY-MM-DD"T"HH24:MI:SS.US"Z"');

const IS_OPEN = sql<boolean>`(b.paid_at IS NULL AND b.cancelled_at IS NULL)`;

/** Not what its buyer was offered and did not take in time. */
const IS_THEIRS = sql<SqlBool>`(NOT ${IS_ONLY_OFFERED} OR b.paid_at IS NOT NULL OR h.expires_at > ${SHOP_NOW})`;

/** Bookings as the contract shows them, with what became of their hold. */
const bookingRows = (db: Db) =>
  db
    .selectFrom('bookings as b')
    .innerJoin('listings as l', 'l.id', 'b.listing_id')
    .innerJoin('users as s', 's.id', 'l.seller_id')
    .leftJoin('holds as h', 'h.booking_id', 'b.id')
    .leftJoin('orders as o', 'o.id', 'b.order_id')
    .leftJoin('booking_promises as k', (join) => join.onRef('k.booking_id', '=', 'b.id').on(IS_OPEN, '=', true))
    .select([
      'b.id as _id',
      'b.listing_id as listingId',
      'b.title',
      'b.authors',
      sql<string>`picture_address(CASE WHEN b.image_url <> '' AND b.image_url = l.image_source THEN l.image_url ELSE b.image_url END)`.as(
        'image_url',
      ),
      'b.condition',
      'b.details',
      'b.price_cents as priceCents',
      sql<boolean>`${sql.raw(HAS_PROMISED_PICTURE)}`.as('hasPicture'),
      'k.promise',
      // Of bookings that may still be paid for.
      sql<CopyPromise | null>`CASE WHEN ${IS_OPEN} THEN ${sql.raw(COPY_PROMISE)} END`.as('current'),
      sql<string>`picture_address(l.image_url)`.as('nowImageUrl'),
      'b.buyer_name as buyer',
      'b.buyer_email as email',
      'b.phone',
      'b.location',
      sql<number>`b.price_cents / 100.0::float8`.as('price'),
      sql<boolean>`b.paid_at IS NOT NULL`.as('paid'),
      'b.paid_at as paidAt',
      sql<boolean>`EXISTS (SELECT FROM checkout_bookings AS c JOIN payment_intents AS i USING (checkout_id)
        WHERE c.booking_id = b.id AND c.is_live AND i.state = 'live' AND i.processing_at IS NOT NULL)`.as('processing'),
      'b.order_id as orderId',
      sql<number | null>`extract(epoch FROM ${SHOP_NOW} - o.closed_at)::float8 / 86400`.as('daysOver'),
      'o.state as orderState',
      'o.outcome as orderOutcome',
      'o.delivery as orderDelivery',
      sql<boolean>`o.frozen_at IS NOT NULL`.as('orderFrozen'),
      // Looked up for problems only, of which there are few.
      sql<boolean>`CASE WHEN o.state = 'problem' THEN coalesce((SELECT true FROM order_events AS e
        WHERE e.order_id = o.id AND e.move = 'ask-admin' LIMIT 1), false) ELSE false END`.as('orderDeciding'),
      'o.due_move as orderDueMove',
      'o.due_at as orderDueAt',
      'o.closed_at as orderClosedAt',
      sql<boolean>`b.refunded_at IS NOT NULL`.as('refunded'),
      'b.refunded_at as refundedAt',
      sql<boolean>`b.cancelled_at IS NOT NULL`.as('cancelled'),
      sql<'held' | 'lapsed' | 'gone' | 'none'>`CASE
        WHEN b.paid_at IS NOT NULL OR b.cancelled_at IS NOT NULL THEN 'none'
        WHEN h.expires_at > ${SHOP_NOW} THEN 'held'
        WHEN h.booking_id IS NOT NULL OR l.status = 'available' THEN 'lapsed'
        ELSE 'gone' END`.as('hold'),
      sql<Date | null>`CASE WHEN b.paid_at IS NULL AND h.expires_at > ${SHOP_NOW} THEN h.expires_at END`.as(
        'holdExpiresAt',
      ),
      // Not EXISTS, for which the whole of waitlist_entries is hashed.
      sql<boolean>`coalesce(h.expires_at >= coalesce(h.renewable_until, h.expires_at)
        OR (SELECT true FROM waitlist_entries AS p WHERE p.listing_id = b.listing_id LIMIT 1), false)`.as(
        'holdIsFinal',
      ),
      'b.created_at as bookedAt',
      'b.buyer_id as buyerId',
      'l.seller_id as sellerId',
      's.name as Seller',
      sql<string>`coalesce(s.seller_slug, '')`.as('seller_slug'),
      'l.phone as seller_phone',
      'l.location as seller_location',
      'b.id as id',
      sql<string>`to_char(b.created_at AT TIME ZONE 'UTC', ${MICROSECONDS})`.as('at'),
      sql<string | null>`to_char(o.due_at AT TIME ZONE 'UTC', ${MICROSECONDS})`.as('dueKey'),
    ]);

export type BookingRow = Awaited<ReturnType<ReturnType<typeof bookingRows>['execute']>>[number];

export const readBookingRow = (db: Db, id: string): Promise<BookingRow | undefined> =>
  bookingRows(db).where('b.id', '=', id).executeTakeFirst();

/** A buyer's bookings, newest first, after the keyset position of the page before. */
export const listBookingRows = (db: Db, buyerId: string, page: BookingPage): Promise<BookingRow[]> =>
  pageOfRows(bookingRows(db).where('b.buyer_id', '=', buyerId).where(IS_THEIRS), page);

/** What a seller is asked for, as `rowWords` of the contract says it of an order `d`. */
const ASKS_SELLER = sql<boolean>`(d.state = 'paid' OR (d.state = 'returning' AND d.due_move = 'take-back')
  OR (d.state = 'problem' AND d.due_move <> 'ask-admin' AND NOT coalesce((SELECT true FROM order_events AS e
    WHERE e.order_id = d.id AND e.move = 'ask-admin' LIMIT 1), false)))`;

/**
 * Bookings of a seller's copies whose order waits for them, or for others, the soonest first, after a position in that
 * order.
 */
export const listDueBuyerRows = (
  db: Db,
  sellerId: string,
  { limit, after, isTheirs }: BookingPage & { readonly isTheirs: boolean },
): Promise<BookingRow[]> => {
  // The page is found first, by the index of what is due; what is shown of it is read afterwards.
  const ids = db
    .selectFrom('orders as d')
    .innerJoin('bookings as c', 'c.order_id', 'd.id')
    .select('c.id')
    .where('d.seller_id', '=', sellerId)
    .where('d.due_at', 'is not', null)
    .where(ASKS_SELLER, '=', isTheirs)
    .$if(after !== undefined, (rest) =>
      rest
        .where(sql<SqlBool>`d.due_at >= ${after?.at ?? ''}::timestamptz`)
        .where(sql<SqlBool>`(d.due_at, c.id) > (${after?.at ?? ''}::timestamptz, ${after?.id ?? ''}::uuid)`),
    )
    .orderBy('d.due_at')
    .orderBy('c.id')
    .limit(limit);
  return bookingRows(db).where('b.id', 'in', ids).orderBy('o.due_at').orderBy('b.id').execute();
};

/** The other bookings of a seller's copies, newest first, after the keyset position of the page before. */
export const listOtherBuyerRows = (db: Db, sellerId: string, { limit, after }: BookingPage): Promise<BookingRow[]> => {
  const ids = db
    .selectFrom('bookings as c')
    .select('c.id')
    .where('c.seller_id', '=', sellerId)
    // Asked row by row: joined, all orders of the shop would be read.
    .where(sql<SqlBool>`(SELECT d.due_at FROM orders AS d WHERE d.id = c.order_id) IS NULL`)
    .$if(after !== undefined, (rest) =>
      rest.where(sql<SqlBool>`(c.created_at, c.id) < (${after?.at ?? ''}::timestamptz, ${after?.id ?? ''}::uuid)`),
    )
    .orderBy('c.created_at', 'desc')
    .orderBy('c.id', 'desc')
    .limit(limit);
  return bookingRows(db).where('b.id', 'in', ids).orderBy('b.created_at', 'desc').orderBy('b.id', 'desc').execute();
};

export interface BookingPage {
  /** Rows at most; one more than is shown tells whether there are more. */
  readonly limit: number;
  readonly after: Position | undefined;
}

const pageOfRows = (rows: ReturnType<typeof bookingRows>, page: BookingPage): Promise<BookingRow[]> => {
  let query = rows;
  if (page.after !== undefined) {
    const { at, id } = page.after;
    query = query.where(sql<SqlBool>`(b.created_at, b.id) < (${at}::timestamptz, ${id}::uuid)`);
  }
  return query.orderBy('b.created_at', 'desc').orderBy('b.id', 'desc').limit(page.limit).execute();
};
