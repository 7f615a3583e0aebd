import { sql, type SqlBool } from 'kysely';
import type { Db, Trx } from '#server/platform/postgres/db.ts';
import { prepared, query } from '#server/platform/postgres/query.ts';
import { MOST_TIMES } from './holds/holds.queries.ts';
import { COPY_PROMISE } from './holds/promise.queries.ts';

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
  ), pictured AS (
    INSERT INTO promised_photos (booking_id, position, name, caption)
    SELECT $1::uuid, i.position, p.name, i.caption FROM listing_photos AS i JOIN photos AS p ON p.id = i.photo_id
    WHERE i.listing_id = $2::uuid
  ), copy AS MATERIALIZED (
    SELECT ${COPY_PROMISE}::text AS written FROM listings AS l WHERE l.id = $2::uuid
  ), promise AS (
    INSERT INTO booking_promises (booking_id, promise, hash)
    SELECT $1::uuid, written::jsonb, sha256(convert_to(written, 'UTF8')) FROM copy
  ), place AS (
    DELETE FROM waitlist_entries WHERE listing_id = $2::uuid AND buyer_id = $3::uuid
  )
  INSERT INTO holds (listing_id, booking_id, buyer_id, expires_at, renewable_until)
  VALUES ($2::uuid, $1::uuid, $3::uuid, shop_now() + make_interval(mins => $15::integer),
    shop_now() + make_interval(mins => ${MOST_TIMES} * $15::integer))
  RETURNING expires_at AS "expiresAt"`,
);

/**
 * Books a copy that is locked, with all that it promises and the hash of that, claims it for `minutes`, and takes the
 * buyer, who has it now, out of its line; answers when the claim ends. A statement that waited for the lock would see
 * the other tables as they were before: the lock comes in one before it.
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

/** Its buyer was offered the copy of a booking `b`, and neither said that they take it nor began to pay. */
export const IS_ONLY_OFFERED = sql<SqlBool>`(b.offered IS NOT DISTINCT FROM 'open'
  AND NOT EXISTS (SELECT FROM checkout_bookings AS c WHERE c.booking_id = b.id))`;

/** Says that a booking's copy is offered to its reader, who did not ask for it just now. */
export const markOffered = async (trx: Trx, id: string): Promise<void> => {
  await trx.updateTable('bookings').set({ offered: 'open' }).where('id', '=', id).execute();
};

/** Says that its reader takes what they were offered: from now on it is a booking as any other. */
export const markTaken = async (db: Db, id: string): Promise<void> => {
  await db
    .updateTable('bookings')
    .set({ offered: 'taken' })
    .where('id', '=', id)
    .where('offered', '=', 'open')
    .execute();
};

/** As `refreshBooking`, of a booking that its buyer makes again. */
export const bookAnew = async (
  trx: Trx,
  id: string,
  { phone, location }: Pick<NewBooking, 'phone' | 'location'>,
): Promise<void> => {
  await trx
    .updateTable('bookings')
    .set({ phone, location, offered: sql<'taken' | null>`CASE WHEN offered IS NOT NULL THEN 'taken' END` })
    .where('id', '=', id)
    .where(sql<SqlBool>`((phone, location) <> (${phone}, ${location}) OR offered = 'open')`)
    .execute();
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
  /** Its copy was offered to its reader, who did not say that they take it. */
  readonly isOnlyOffered: boolean;
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
      sql<boolean>`${IS_ONLY_OFFERED}`.as('isOnlyOffered'),
    ])
    .where('b.id', '=', id)
    .executeTakeFirstOrThrow()
    .then(({ email, name, leftAt, ...rest }) => ({ ...rest, buyer: leftAt === null ? { email, name } : undefined }));
