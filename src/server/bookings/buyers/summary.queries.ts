import { sql } from 'kysely';
import { SHOP_NOW } from '#server/platform/postgres/clock.ts';
import type { Db } from '#server/platform/postgres/db.ts';

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
      sql<number>`(count(*) FILTER (WHERE h.expires_at > ${SHOP_NOW}))::integer`.as('held'),
      sql<Date | null>`min(h.expires_at) FILTER (WHERE h.expires_at > ${SHOP_NOW})`.as('heldUntil'),
      // as My Orders reads it: not paid, not cancelled, and nobody else has the copy
      sql<number>`(count(*) FILTER (WHERE b.paid_at IS NULL AND b.cancelled_at IS NULL
        AND (h.booking_id IS NOT NULL OR l.status = 'available')))::integer`.as('unpaid'),
      sql<number>`(count(*) FILTER (WHERE b.paid_at IS NOT NULL AND b.refunded_at IS NULL))::integer`.as('paid'),
    ])
    .where('b.buyer_id', '=', buyerId)
    .executeTakeFirstOrThrow();

/** A seller's copies by how they stand, and what the sales brought them after all fees, in dollars. */
export const readSellerNumbers = (
  db: Db,
  sellerId: string,
): Promise<{ available: number; reserved: number; sold: number; earned: number }> =>
  db
    .selectFrom('listings as l')
    .select([
      sql<number>`(count(*) FILTER (WHERE l.status = 'available'))::integer`.as('available'),
      sql<number>`(count(*) FILTER (WHERE l.status = 'held'))::integer`.as('reserved'),
      sql<number>`(count(*) FILTER (WHERE l.status = 'sold'))::integer`.as('sold'),
      // as the statement has it, whether it was paid out or not
      sql<number>`(SELECT coalesce(-sum(e.amount_cents), 0)::float8 / 100 FROM ledger_transactions AS t
          JOIN ledger_entries AS e ON e.transaction_id = t.id AND e.account IN ('seller', 'seller-pending')
        WHERE t.seller_id = ${sellerId} AND t.kind NOT LIKE 'payout%' AND t.kind <> 'adjustment')`.as('earned'),
    ])
    .where('l.seller_id', '=', sellerId)
    .executeTakeFirstOrThrow();

/** What of the shop's money waits for an admin, or for this one. */
export const readAttention = (
  db: Db,
  adminId: string,
): Promise<{
  openDisputes: number;
  disputeDueBy: Date | null;
  refundsToDecide: number;
  differences: number;
  ordersToDecide: number;
  /** Reviews and replies that name a contact. */
  reviewsToDecide: number;
  /** What was reported and waits, and appeals that another admin decides; `reportedSince`: the longest. */
  reportsToDecide: number;
  reportedSince: Date | null;
  toApprove: number;
}> =>
  db
    .selectNoFrom([
      sql<number>`(SELECT count(*)::integer FROM disputes WHERE state = 'open')`.as('openDisputes'),
      sql<Date | null>`(SELECT min(due_by) FROM disputes WHERE state = 'open')`.as('disputeDueBy'),
      // as Money shows them: refused, or given back and the copy neither on sale again nor removed
      sql<number>`(SELECT count(*)::integer FROM refunds AS r
        JOIN payments AS p ON p.id = r.payment_id
        JOIN bookings AS b ON b.id = p.booking_id
        JOIN listings AS l ON l.id = b.listing_id
        WHERE r.state = 'failed' OR (p.outcome = 'sale' AND b.refunded_at IS NOT NULL AND l.status = 'sold' AND NOT EXISTS (
          SELECT FROM bookings o WHERE o.listing_id = l.id AND o.paid_at IS NOT NULL AND o.refunded_at IS NULL)))`.as(
        'refundsToDecide',
      ),
      sql<number>`(SELECT count(*)::integer FROM money_differences WHERE mended_at IS NULL)`.as('differences'),
      // as Money lists them, but for those that a bank decides about
      sql<number>`(SELECT count(*)::integer FROM orders AS o WHERE o.due_at IS NOT NULL AND (
        (o.state = 'ready' AND o.entered_at <= shop_now() - interval '14 days')
        OR (o.state = 'returning' AND o.due_move = 'refund-problem')
        OR (o.state = 'problem' AND EXISTS (
          SELECT FROM order_events AS e WHERE e.order_id = o.id AND e.move = 'ask-admin'))))`.as('ordersToDecide'),
      sql<number>`(SELECT count(*)::integer FROM reviews WHERE state = 'held' OR is_reply_held)`.as('reviewsToDecide'),
      sql<number>`(SELECT count(*)::integer FROM report_cases WHERE decided_at IS NULL)
        + (SELECT count(*)::integer FROM report_cases WHERE appealed_at IS NOT NULL AND appeal_decided_at IS NULL
            AND decided_by IS DISTINCT FROM ${adminId})`.as('reportsToDecide'),
      sql<Date | null>`(SELECT min(opened_at) FROM report_cases WHERE decided_at IS NULL)`.as('reportedSince'),
      sql<number>`(SELECT count(*)::integer FROM payout_batches AS b
          WHERE b.second_reason IS NOT NULL AND b.approved_by IS NULL AND b.made_by <> ${adminId}
            AND EXISTS (SELECT FROM hand_payouts AS h JOIN payouts AS p ON p.id = h.payout_id
              WHERE h.batch_id = b.id AND p.state = 'asked'))
        + (SELECT count(*)::integer FROM adjustments WHERE state = 'asked' AND ${adminId} NOT IN (asked_by, seller_id))`.as(
        'toApprove',
      ),
    ])
    .executeTakeFirstOrThrow();

/** The users of the whole shop, and sellers nobody verified yet. */
export const readUserNumbers = (db: Db): Promise<{ users: number; sellersToVerify: number }> =>
  db
    .selectFrom('users as u')
    .select([
      sql<number>`count(*)::integer`.as('users'),
      sql<number>`(count(*) FILTER (WHERE u.is_seller AND NOT u.verified))::integer`.as('sellersToVerify'),
    ])
    .where('u.deleted_at', 'is', null)
    .executeTakeFirstOrThrow();
