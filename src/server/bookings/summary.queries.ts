import { sql } from 'kysely';
import type { Db } from '#server/platform/db.ts';

/** A buyer's books: held at this moment and when the first hold ends, still to be paid for, and paid. */
export const readBuyerNumbers = (
  db: Db,
  buyerId: string,
): Promise<{ held: number; heldUntil: Date | null; unpaid: number; paid: number }> =>
  db
    .selectFrom('bookings as b')
    .innerJoin('listings as l', 'l.id', 'b.listing_id')
    .leftJoin('holds as h', 'h.booking_id', 'b.id')
    .select([
      sql<number>`(count(*) FILTER (WHERE h.expires_at > now()))::integer`.as('held'),
      sql<Date | null>`min(h.expires_at) FILTER (WHERE h.expires_at > now())`.as('heldUntil'),
      // as My Orders reads it: not paid, not cancelled, and nobody else has the copy
      sql<number>`(count(*) FILTER (WHERE b.paid_at IS NULL AND b.cancelled_at IS NULL
        AND (h.booking_id IS NOT NULL OR l.status = 'available')))::integer`.as('unpaid'),
      sql<number>`(count(*) FILTER (WHERE b.paid_at IS NOT NULL AND b.refunded_at IS NULL))::integer`.as('paid'),
    ])
    .where('b.buyer_id', '=', buyerId)
    .executeTakeFirstOrThrow();

/** A seller's copies by how they stand, and what was paid for them, in dollars. */
export const readSellerNumbers = (
  db: Db,
  sellerId: string,
): Promise<{ available: number; reserved: number; sold: number; earned: number }> =>
  db
    .selectFrom('listings as l')
    .leftJoin('bookings as b', (join) =>
      join.onRef('b.listing_id', '=', 'l.id').on('b.paid_at', 'is not', null).on('b.refunded_at', 'is', null),
    )
    .leftJoin('payments as p', (join) => join.onRef('p.booking_id', '=', 'b.id').on('p.outcome', '=', 'sale'))
    .select([
      sql<number>`(count(*) FILTER (WHERE l.status = 'available'))::integer`.as('available'),
      sql<number>`(count(*) FILTER (WHERE l.status = 'held'))::integer`.as('reserved'),
      sql<number>`(count(*) FILTER (WHERE l.status = 'sold'))::integer`.as('sold'),
      sql<number>`coalesce(sum(p.amount_cents - p.refunded_cents), 0)::float8 / 100`.as('earned'),
    ])
    .where('l.seller_id', '=', sellerId)
    .executeTakeFirstOrThrow();

/** The people of the whole shop, and sellers nobody verified yet. */
export const readPeopleNumbers = (db: Db): Promise<{ users: number; sellersToVerify: number }> =>
  db
    .selectFrom('users as u')
    .select([
      sql<number>`count(*)::integer`.as('users'),
      sql<number>`(count(*) FILTER (WHERE u.is_seller AND NOT u.verified))::integer`.as('sellersToVerify'),
    ])
    .where('u.deleted_at', 'is', null)
    .executeTakeFirstOrThrow();
