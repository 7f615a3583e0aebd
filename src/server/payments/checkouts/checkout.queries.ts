import { sql, type SqlBool } from 'kysely';
import type { Address } from '#contract/delivery/address.ts';
import { SHOP_NOW } from '#server/platform/postgres/clock.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';
import { queryPrepared } from '#server/platform/postgres/query.ts';

/** A booking that is paid with others: its price, and its share of the postage. */
export interface CheckoutBooking {
  readonly bookingId: string;
  readonly priceCents: number;
  readonly postageCents: number;
}

/** What one payment buys of one seller. */
export interface Checkout {
  readonly id: string;
  readonly buyerId: string;
  readonly sellerId: string;
  readonly delivery: 'pickup' | 'post';
  readonly address: Address | null;
  /** Whether it goes to another country than the seller's. */
  readonly isAbroad: boolean;
  /** Where it is picked up; empty for the post. */
  readonly place: string;
  readonly daysToPost: number;
  /** The wording of the terms that was in force; empty where it was not kept. */
  readonly termsVersion: string;
  readonly taxCents: number;
  /** The first that was booked first. */
  readonly bookings: readonly CheckoutBooking[];
}

export const findCheckout = async (db: Db, id: string): Promise<Checkout | undefined> => {
  const select = db
    .selectFrom('checkouts as c')
    .innerJoin('checkout_bookings as x', 'x.checkout_id', 'c.id')
    .innerJoin('bookings as b', 'b.id', 'x.booking_id')
    .select([
      'c.id',
      'c.buyer_id as buyerId',
      'c.seller_id as sellerId',
      'c.delivery',
      'c.address',
      'c.is_abroad as isAbroad',
      'c.place',
      'c.days_to_post as daysToPost',
      'c.terms_version as termsVersion',
      'c.tax_cents as taxCents',
      'x.booking_id as bookingId',
      'x.price_cents as priceCents',
      'x.postage_cents as postageCents',
    ])
    .where('c.id', '=', id)
    .orderBy('b.created_at')
    .orderBy('b.id');
  const rows = await queryPrepared(db, 'find_checkout', select);
  const [first] = rows;
  if (first === undefined) return undefined;
  const { bookingId: _, priceCents: __, postageCents: ___, ...checkout } = first;
  const bookings = rows.map(({ bookingId, priceCents, postageCents }) => ({ bookingId, priceCents, postageCents }));
  return { ...checkout, bookings };
};

/** Writes a checkout and its bookings down; answers its id. */
export const insertCheckout = async (
  trx: Trx,
  checkout: Omit<Checkout, 'id' | 'termsVersion' | 'taxCents'>,
): Promise<string> => {
  const { buyerId, sellerId, delivery, address, isAbroad, place, daysToPost, bookings } = checkout;
  const { rows } = await sql<{ id: string }>`
    WITH made AS (
      INSERT INTO checkouts (buyer_id, seller_id, delivery, address, is_abroad, place, days_to_post,
        terms_version)
      VALUES (${buyerId}, ${sellerId}, ${delivery}, ${address === null ? null : JSON.stringify(address)}::jsonb,
        ${isAbroad}, ${place}, ${daysToPost}, coalesce(terms_in_force(), ''))
      RETURNING id)
    INSERT INTO checkout_bookings (checkout_id, booking_id, price_cents, postage_cents)
    SELECT made.id, b.* FROM made, unnest(${bookings.map(({ bookingId }) => bookingId)}::uuid[],
      ${bookings.map(({ priceCents }) => priceCents)}::integer[],
      ${bookings.map(({ postageCents }) => postageCents)}::integer[]) AS b
    RETURNING checkout_id AS id`.execute(trx);
  const [row] = rows;
  if (row === undefined) throw new Error('a checkout was not written');
  return row.id;
};

/**
 * Takes the address out of checkouts that were begun more than a day ago and can take no money any more; what was paid
 * for has given it to its order.
 */
export const forgetIdleAddresses = async (db: Db): Promise<number> => {
  const result = await db
    .updateTable('checkouts as c')
    .set({ address: null })
    .where('c.address', 'is not', null)
    .where('c.created_at', '<', sql<Date>`${SHOP_NOW} - interval '1 day'`)
    .where(sql<SqlBool>`NOT EXISTS (SELECT FROM payment_intents AS i WHERE i.checkout_id = c.id AND i.state = 'live')`)
    .executeTakeFirst();
  return Number(result.numUpdatedRows);
};

/** An order has taken the address over. */
export const forgetAddress = async (trx: Trx, id: string): Promise<void> => {
  await trx
    .updateTable('checkouts')
    .set({ address: null })
    .where('id', '=', id)
    .where('address', 'is not', null)
    .execute();
};
