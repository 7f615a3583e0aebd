import { sql, type SqlBool } from 'kysely';
import type { Position } from '#server/platform/cursor.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';
import { SHOP_NOW } from '#server/platform/postgres/clock.ts';
import { prepared, query } from '#server/platform/postgres/query.ts';
import { MOST_TIMES } from './holds/holds.queries.ts';
import { HAS_PROMISED_PICTURE } from './holds/promise.queries.ts';

/** What the policy and the payment need of a booking. */
export interface BookingFacts {
  readonly id: string;
  readonly listingId: string;
  readonly buyerId: string;
  /** The address at booking; part of what the provider is told, so it must never vary between tries. */
  readonly buyerEmail: string;
  readonly title: string;
  readonly priceCents: number;
  readonly paidAt: Date | null;
  readonly cancelledAt: Date | null;
  readonly refundedAt: Date | null;
}

const FACTS = [
  'id',
  'listing_id as listingId',
  'buyer_id as buyerId',
  'buyer_email as buyerEmail',
  'title',
  'price_cents as priceCents',
  'paid_at as paidAt',
  'cancelled_at as cancelledAt',
  'refunded_at as refundedAt',
] as const;

export const findBooking = (db: Db, id: string): Promise<BookingFacts | undefined> =>
  db.selectFrom('bookings').select(FACTS).where('id', '=', id).executeTakeFirst();

/**
 * The booking, locked until the transaction ends: whoever changes a booking, its hold or its copy locks this row first.
 */
export const lockBooking = (trx: Trx, id: string): Promise<BookingFacts | undefined> =>
  trx.selectFrom('bookings').select(FACTS).where('id', '=', id).forUpdate().executeTakeFirst();

/** As `lockBooking` for several, in the order of their ids, so that two who lock the same never wait for each other. */
export const lockBookings = (trx: Trx, ids: readonly string[]): Promise<BookingFacts[]> =>
  ids.length === 0
    ? Promise.resolve([])
    : trx
        .selectFrom('bookings')
        .select(FACTS)
        .where('id', 'in', [...ids])
        .orderBy('id')
        .forUpdate()
        .execute();

/** Whose copies bookings are of, the one that was booked first at the front. */
export const listSellersOf = (
  db: Db,
  ids: readonly string[],
): Promise<{ id: string; sellerId: string; listingId: string }[]> =>
  db
    .selectFrom('bookings as b')
    .innerJoin('listings as l', 'l.id', 'b.listing_id')
    .select(['b.id', 'b.listing_id as listingId', 'l.seller_id as sellerId'])
    .where('b.id', 'in', [...ids])
    .orderBy('b.created_at')
    .orderBy('b.id')
    .execute();

const LOCK_OPEN_BOOKING = prepared(
  'lock_open_booking',
  `SELECT id, listing_id AS "listingId", buyer_id AS "buyerId", buyer_email AS "buyerEmail",
    price_cents AS "priceCents", paid_at AS "paidAt", cancelled_at AS "cancelledAt", refunded_at AS "refundedAt"
  FROM bookings WHERE listing_id = $1 AND buyer_id = $2 AND paid_at IS NULL AND cancelled_at IS NULL FOR UPDATE`,
);

/** The buyer's open booking of a copy, locked; at most one by a unique index. */
export const lockOpenBooking = async (
  trx: Trx,
  listingId: string,
  buyerId: string,
): Promise<BookingFacts | undefined> => (await query<BookingFacts>(trx, LOCK_OPEN_BOOKING, [listingId, buyerId]))[0];

/** The buyer's unpaid, uncancelled bookings at a price; two are enough to know that it names none. */
export const findOpenBookingsAtPrice = (db: Db, buyerId: string, priceCents: number): Promise<{ id: string }[]> =>
  db
    .selectFrom('bookings')
    .select('id')
    .where('buyer_id', '=', buyerId)
    .where('price_cents', '=', priceCents)
    .where('paid_at', 'is', null)
    .where('cancelled_at', 'is', null)
    .limit(2)
    .execute();

export interface NewBooking {
  /** Given by whoever makes the booking, so that what follows need not wait for it. */
  readonly id: string;
  readonly listingId: string;
  readonly buyerId: string;
  readonly sellerId: string;
  readonly title: string;
  readonly authors: string;
  readonly imageUrl: string;
  readonly condition: string;
  readonly details: string;
  readonly buyerName: string;
  readonly buyerEmail: string;
  readonly phone: string;
  readonly location: string;
  readonly priceCents: number;
}

const INSERT_BOOKING = prepared(
  'insert_booking',
  `WITH booking AS (
    INSERT INTO bookings (id, listing_id, buyer_id, seller_id, title, authors, image_url, condition, details,
      buyer_name, buyer_email, phone, location, price_cents)
    VALUES ($1::uuid, $2::uuid, $3::uuid, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
  ), photos AS (
    INSERT INTO promised_photos (booking_id, position, name, caption)
    SELECT $1::uuid, i.position, p.name, i.caption FROM listing_photos AS i JOIN photos AS p ON p.id = i.photo_id
    WHERE i.listing_id = $2::uuid
  ), place AS (
    DELETE FROM waitlist_entries WHERE listing_id = $2::uuid AND buyer_id = $3::uuid
  )
  INSERT INTO holds (listing_id, booking_id, buyer_id, expires_at, renewable_until)
  VALUES ($2::uuid, $1::uuid, $3::uuid, shop_now() + make_interval(mins => $15::integer),
    shop_now() + make_interval(mins => ${MOST_TIMES} * $15::integer))
  RETURNING expires_at AS "expiresAt"`,
);

/**
 * Books a copy, claims it for `minutes`, and takes the buyer, who has it now, out of its line; answers when the claim
 * ends.
 */
export const insertBooking = async (trx: Trx, booking: NewBooking, minutes: number): Promise<Date> => {
  const [row] = await query<{ expiresAt: Date }>(trx, INSERT_BOOKING, [
    booking.id,
    booking.listingId,
    booking.buyerId,
    booking.sellerId,
    booking.title,
    booking.authors,
    booking.imageUrl,
    booking.condition,
    booking.details,
    booking.buyerName,
    booking.buyerEmail,
    booking.phone,
    booking.location,
    booking.priceCents,
    minutes,
  ]);
  if (row === undefined) throw new Error('a booking was not written');
  return row.expiresAt;
};

/** Takes the phone and place that are said now; answers whether they are others. */
export const refreshBooking = async (
  trx: Trx,
  id: string,
  { phone, location }: Pick<NewBooking, 'phone' | 'location'>,
): Promise<boolean> => {
  const result = await trx
    .updateTable('bookings')
    .set({ phone, location })
    .where('id', '=', id)
    .where(sql<SqlBool>`(phone, location) <> (${phone}, ${location})`)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
};

export const markPaid = async (trx: Trx, id: string): Promise<void> => {
  await trx
    .updateTable('bookings')
    .set({ paid_at: sql<Date>`shop_now()` })
    .where('id', '=', id)
    .where('paid_at', 'is', null)
    .execute();
};

export const markCancelled = async (trx: Trx, id: string): Promise<void> => {
  await trx
    .updateTable('bookings')
    .set({ cancelled_at: sql<Date>`shop_now()` })
    .where('id', '=', id)
    .where('paid_at', 'is', null)
    .execute();
  // Nobody asks any more what was promised.
  await trx.deleteFrom('promised_photos').where('booking_id', '=', id).execute();
};

export const markRefunded = async (trx: Trx, id: string): Promise<void> => {
  await trx
    .updateTable('bookings')
    .set({ refunded_at: sql<Date>`shop_now()` })
    .where('id', '=', id)
    .where('refunded_at', 'is', null)
    .execute();
};

/** Whether a sale of the copy stands: paid for, and the money kept. */
export const hasStandingSale = async (trx: Trx, listingId: string): Promise<boolean> => {
  const row = await trx
    .selectFrom('bookings')
    .select('id')
    .where('listing_id', '=', listingId)
    .where('paid_at', 'is not', null)
    .where('refunded_at', 'is', null)
    .executeTakeFirst();
  return row !== undefined;
};

/** Who is to be told about a booking, and of what. */
export interface Tidings {
  readonly sellerId: string;
  /** Null until it is paid for. */
  readonly orderId: string | null;
  readonly title: string;
  readonly priceCents: number;
  /** Undefined once they left the shop: then nobody is written to. */
  readonly buyer: { readonly email: string; readonly name: string } | undefined;
}

/** The parties of a booking as they are now: a mail goes to the address of today. */
export const readTidings = (trx: Trx, id: string): Promise<Tidings> =>
  trx
    .selectFrom('bookings as b')
    .innerJoin('listings as l', 'l.id', 'b.listing_id')
    .innerJoin('users as u', 'u.id', 'b.buyer_id')
    .select([
      'l.seller_id as sellerId',
      'b.order_id as orderId',
      'b.title',
      'b.price_cents as priceCents',
      'u.email',
      'u.name',
      'u.deleted_at as leftAt',
    ])
    .where('b.id', '=', id)
    .executeTakeFirstOrThrow()
    .then(({ email, name, leftAt, ...rest }) => ({ ...rest, buyer: leftAt === null ? { email, name } : undefined }));

/** How positions in lists write a time. */
const MICROSECONDS = sql.lit('YYYY-MM-DD"T"HH24:MI:SS.US"Z"');

/** Bookings as the contract shows them, with what became of their hold. */
const bookingRows = (db: Db) =>
  db
    .selectFrom('bookings as b')
    .innerJoin('listings as l', 'l.id', 'b.listing_id')
    .innerJoin('users as s', 's.id', 'l.seller_id')
    .leftJoin('holds as h', 'h.booking_id', 'b.id')
    .leftJoin('orders as o', 'o.id', 'b.order_id')
    .select([
      'b.id as _id',
      'b.listing_id as listingId',
      'b.title',
      'b.authors',
      sql<string>`picture_address(CASE WHEN b.image_url = l.image_source THEN l.image_url ELSE b.image_url END)`.as(
        'image_url',
      ),
      'b.condition',
      'b.details',
      'b.price_cents as priceCents',
      sql<boolean>`${sql.raw(HAS_PROMISED_PICTURE)}`.as('hasPicture'),
      'l.title as nowTitle',
      'l.authors as nowAuthors',
      'l.condition as nowCondition',
      'l.details as nowDetails',
      sql<string>`picture_address(l.image_url)`.as('nowImageUrl'),
      'l.resale_cents as nowPriceCents',
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
  pageOfRows(bookingRows(db).where('b.buyer_id', '=', buyerId), page);

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
