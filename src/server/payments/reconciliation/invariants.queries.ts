import { sql, type RawBuilder } from 'kysely';
import type { Db, Trx } from '#server/platform/postgres/db.ts';

/** Something that must never be otherwise; `broken` selects a row for each place where it is. */
export interface Pledge {
  readonly id: string;
  readonly says: string;
  readonly broken: RawBuilder<unknown>;
}

const STANDING = sql`paid_at IS NOT NULL AND refunded_at IS NULL`;

/** The pledges about money and copies, in the numbering of docs/money.md. */
export const PLEDGES: readonly Pledge[] = [
  {
    id: 'I1',
    says: 'A copy has at most one hold and one standing sale, and its state says so',
    broken: sql`
      SELECT listing_id FROM bookings WHERE ${STANDING} GROUP BY listing_id HAVING count(*) > 1
      UNION ALL
      SELECT l.id FROM bookings b JOIN listings l ON l.id = b.listing_id WHERE ${STANDING} AND l.status <> 'sold'
      UNION ALL
      SELECT l.id FROM listings l LEFT JOIN holds h ON h.listing_id = l.id WHERE l.status = 'held' AND h.booking_id IS NULL
      UNION ALL
      SELECT l.id FROM holds h JOIN listings l ON l.id = h.listing_id WHERE l.status <> 'held'`,
  },
  {
    id: 'I1b',
    says: 'Whoever holds a copy has an open booking of it',
    broken: sql`
      SELECT h.listing_id FROM holds h JOIN bookings b ON b.id = h.booking_id
      WHERE b.listing_id <> h.listing_id OR b.buyer_id <> h.buyer_id OR b.paid_at IS NOT NULL OR b.cancelled_at IS NOT NULL`,
  },
  {
    id: 'I2',
    says: 'A booking is paid exactly when a payment of its price paid for it',
    broken: sql`
      SELECT b.id FROM bookings b FULL JOIN (SELECT * FROM payments WHERE outcome = 'sale') p ON p.booking_id = b.id
      WHERE (b.paid_at IS NOT NULL) <> (p.id IS NOT NULL) OR p.amount_cents <> b.price_cents`,
  },
  {
    id: 'I3',
    says: 'Every payment has an intent of its amount that took the money',
    broken: sql`
      SELECT p.id FROM payments p LEFT JOIN payment_intents i ON i.provider_id = p.provider_id
      WHERE i.booking_id IS DISTINCT FROM p.booking_id OR i.amount_cents <> p.amount_cents OR i.currency <> p.currency
        OR i.state <> CASE p.outcome WHEN 'sale' THEN 'succeeded' ELSE 'returned' END`,
  },
  {
    id: 'I4',
    says: 'The ledger holds what was paid less what was given back, and every posting sums to zero',
    broken: sql`
      SELECT t.transaction_id FROM ledger_entries t GROUP BY t.transaction_id HAVING sum(t.amount_cents) <> 0
      UNION ALL
      SELECT 0 WHERE (SELECT coalesce(sum(amount_cents), 0) FROM ledger_entries WHERE account = 'provider')
        <> (SELECT coalesce(sum(amount_cents - refunded_cents), 0) FROM payments)
        - (SELECT coalesce(sum(amount_cents), 0) FROM disputes WHERE state = 'lost')`,
  },
  {
    id: 'I5',
    says: 'A booking has at most one intent that can take money, and at most one that did',
    broken: sql`
      SELECT booking_id FROM payment_intents GROUP BY booking_id
      HAVING count(*) FILTER (WHERE state = 'live') > 1 OR count(*) FILTER (WHERE state = 'succeeded') > 1`,
  },
  {
    id: 'I6',
    says: 'Every payment is posted once, every dispute too',
    broken: sql`
      SELECT p.id::text FROM payments p LEFT JOIN ledger_transactions t
        ON t.reference = p.id::text AND t.kind = CASE p.outcome WHEN 'sale' THEN 'sale' ELSE 'stray-payment' END
      WHERE t.id IS NULL
      UNION ALL
      SELECT d.id FROM disputes d
      WHERE (SELECT count(*) FROM ledger_transactions t WHERE t.reference = d.id) <> CASE d.state WHEN 'open' THEN 1 ELSE 2 END`,
  },
  {
    id: 'I7',
    says: 'Paid is final: only a full refund follows it, and nothing is both paid and cancelled',
    broken: sql`
      SELECT b.id FROM bookings b LEFT JOIN payments p ON p.booking_id = b.id AND p.outcome = 'sale'
      WHERE (b.paid_at IS NOT NULL AND b.cancelled_at IS NOT NULL)
        OR (b.refunded_at IS NOT NULL) <> (p.id IS NOT NULL AND p.refunded_cents = p.amount_cents)`,
  },
  {
    id: 'I8',
    says: 'Every buyer who paid has one receipt, on its way or sent',
    broken: sql`
      SELECT p.id FROM payments p
        JOIN bookings b ON b.id = p.booking_id
        JOIN users u ON u.id = b.buyer_id AND u.deleted_at IS NULL
        LEFT JOIN outbox o ON o.key = 'paid-receipt:' || b.id
      WHERE p.outcome = 'sale' AND o.id IS NULL`,
  },
  {
    id: 'I13',
    says: 'No copy that was taken out of the shop has a standing sale or a hold',
    broken: sql`
      SELECT l.id FROM holds h JOIN listings l ON l.id = h.listing_id WHERE l.status = 'withdrawn'
      UNION ALL
      SELECT l.id FROM bookings b JOIN listings l ON l.id = b.listing_id WHERE ${STANDING} AND l.status = 'withdrawn'`,
  },
];

/** Gives this transaction longer than a request usually has: it looks at everything there is. */
export const allowSeconds = async (trx: Trx, seconds: number): Promise<void> => {
  await sql`SELECT set_config('statement_timeout', ${`${seconds}s`}, true)`.execute(trx);
};

/** In how many places a pledge is broken. */
export const countBroken = async (db: Db, pledge: Pledge): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::integer AS count FROM (${pledge.broken}) AS broken`.execute(db);
  return rows[0]?.count ?? 0;
};
