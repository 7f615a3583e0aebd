import { sql } from 'kysely';
import { SHOP_NOW } from '#server/platform/postgres/clock.ts';
import type { Db } from '#server/platform/postgres/db.ts';

export interface StandingRow {
  readonly listingId: string;
  readonly kind: 'own' | 'held' | 'bought' | 'waiting';
  readonly bookingId: string | null;
  readonly until: Date | null;
  readonly boughtAt: Date | null;
  readonly place: number | null;
}

/** What some copies are to a user, at most one row a copy. Each part reads by an index on the copy. */
export const listStandingRows = async (db: Db, userId: string, ids: readonly string[]): Promise<StandingRow[]> => {
  const { rows } = await sql<StandingRow>`
    SELECT l.id AS "listingId", 'own' AS kind, NULL::uuid AS "bookingId", NULL::timestamptz AS until,
      NULL::timestamptz AS "boughtAt", NULL::integer AS place
    FROM listings l WHERE l.id = ANY(${ids}::uuid[]) AND l.seller_id = ${userId} AND l.status <> 'withdrawn'
    UNION ALL
    SELECT h.listing_id, 'held', h.booking_id, CASE WHEN h.expires_at > ${SHOP_NOW} THEN h.expires_at END, NULL, NULL
    FROM holds h WHERE h.listing_id = ANY(${ids}::uuid[]) AND h.buyer_id = ${userId}
    UNION ALL
    SELECT b.listing_id, 'bought', b.id, NULL, b.paid_at, NULL
    FROM bookings b WHERE b.listing_id = ANY(${ids}::uuid[]) AND b.buyer_id = ${userId}
      AND b.paid_at IS NOT NULL AND b.refunded_at IS NULL
    UNION ALL
    SELECT p.listing_id, 'waiting', NULL, NULL, NULL,
      (SELECT count(*)::integer FROM waitlist_entries o WHERE o.listing_id = p.listing_id AND o.id <= p.id)
    FROM waitlist_entries p WHERE p.listing_id = ANY(${ids}::uuid[]) AND p.buyer_id = ${userId}`.execute(db);
  return rows;
};
