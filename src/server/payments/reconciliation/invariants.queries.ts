import { sql } from 'kysely';
import type { Db, Trx } from '#server/platform/postgres/db.ts';
import { POSTING_PLEDGES, type Pledge } from './posting-pledges.queries.ts';

const STANDING = sql`paid_at IS NOT NULL AND refunded_at IS NULL`;
/** What of the price of payment p went back, where its order has given a part of it; else null. */
const PRICE_BACK = sql`(SELECT coalesce(sum(g.amount_cents - g.postage_cents) FILTER (WHERE g.state = 'done'), 0)
  FROM refunds g WHERE g.payment_id = p.id HAVING bool_or(g.reason = 'order' AND g.state = 'done'))`;

/** What is pledged about rows alone. */
const ROW_PLEDGES: readonly Pledge[] = [
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
    says: 'A booking is paid exactly when a payment of its price and postage paid for it, as a share of its checkout',
    broken: sql`
      SELECT b.id FROM bookings b FULL JOIN (SELECT * FROM payments WHERE outcome = 'sale') p ON p.booking_id = b.id
      WHERE (b.paid_at IS NOT NULL) <> (p.id IS NOT NULL) OR p.amount_cents - p.postage_cents <> b.price_cents
      UNION ALL
      SELECT i.checkout_id FROM payment_intents i JOIN checkout_bookings c USING (checkout_id)
      WHERE i.state IN ('live', 'succeeded', 'returned')
      GROUP BY i.checkout_id, i.n, i.amount_cents HAVING sum(c.price_cents + c.postage_cents) <> i.amount_cents
      UNION ALL
      SELECT c.id FROM checkouts c JOIN checkout_bookings x ON x.checkout_id = c.id JOIN bookings b ON b.id = x.booking_id
      WHERE b.buyer_id <> c.buyer_id OR b.seller_id <> c.seller_id`,
  },
  {
    id: 'I3',
    says: 'Every payment is a share of an intent that took the money, and the shares are all of it',
    broken: sql`
      SELECT p.id FROM payments p LEFT JOIN payment_intents i ON i.provider_id = p.provider_id
        LEFT JOIN checkout_bookings c ON c.checkout_id = i.checkout_id AND c.booking_id = p.booking_id
      WHERE c.booking_id IS NULL OR i.currency <> p.currency
        OR i.state <> CASE p.outcome WHEN 'sale' THEN 'succeeded' ELSE 'returned' END
      UNION ALL
      SELECT NULL FROM payments p JOIN payment_intents i ON i.provider_id = p.provider_id
      GROUP BY i.provider_id, i.amount_cents HAVING sum(p.amount_cents) <> i.amount_cents`,
  },
  {
    id: 'I4',
    says: 'The provider holds what was paid less what was given back, lost or paid out, and every posting sums to zero',
    broken: sql`
      SELECT t.transaction_id FROM ledger_entries t GROUP BY t.transaction_id HAVING sum(t.amount_cents) <> 0
      UNION ALL
      SELECT 0 WHERE (SELECT coalesce(sum(amount_cents), 0) FROM ledger_entries WHERE account = 'provider')
        <> (SELECT coalesce(sum(amount_cents), 0) FROM payments)
        - (SELECT coalesce(sum(amount_cents), 0) FROM refunds
          WHERE state = 'done' AND by_hand_reference IS NULL AND dispute_id IS NULL)
        - (SELECT coalesce(sum(amount_cents), 0) FROM disputes WHERE state = 'lost')
        - (SELECT coalesce(sum(amount_cents - reversed_cents), 0) FROM payouts WHERE way = 'connect' AND state = 'sent')`,
  },
  {
    id: 'I5',
    says: 'A booking is in at most one checkout that can take money, and at most one that did',
    broken: sql`
      SELECT c.booking_id FROM checkout_bookings c JOIN payment_intents i USING (checkout_id)
      GROUP BY c.booking_id
      HAVING count(*) FILTER (WHERE i.state = 'live') > 1 OR count(*) FILTER (WHERE i.state = 'succeeded') > 1
      UNION ALL
      SELECT c.booking_id FROM checkout_bookings c WHERE c.is_live <> EXISTS (
        SELECT FROM payment_intents i WHERE i.checkout_id = c.checkout_id AND i.state = 'live')`,
  },
  {
    id: 'I7',
    says: 'Paid is final: only a refund of all of it, one of the price by its order, or a lost dispute follows it, no more goes back than was paid, nothing is paid and cancelled',
    broken: sql`
      SELECT b.id FROM bookings b LEFT JOIN payments p ON p.booking_id = b.id AND p.outcome = 'sale'
      WHERE (b.paid_at IS NOT NULL AND b.cancelled_at IS NOT NULL)
        OR (b.refunded_at IS NULL AND (p.refunded_cents = p.amount_cents OR ${PRICE_BACK} = p.amount_cents - p.postage_cents))
        OR (b.refunded_at IS NOT NULL AND (p.id IS NULL OR p.refunded_cents < p.amount_cents)
          AND (p.refunded_cents < p.amount_cents - p.postage_cents OR ${PRICE_BACK} IS NULL)
          AND NOT EXISTS (SELECT FROM dispute_shares s JOIN disputes d ON d.id = s.dispute_id
            WHERE s.payment_id = p.id AND (d.state = 'lost' OR d.lost_at IS NOT NULL)))
      UNION ALL
      SELECT p.id FROM payments p JOIN refunds r ON r.payment_id = p.id
      GROUP BY p.id HAVING sum(r.amount_cents) > p.amount_cents
        OR coalesce(sum(r.amount_cents) FILTER (WHERE r.state = 'done'), 0) > p.refunded_cents`,
  },
  {
    id: 'I8',
    says: 'Every buyer who paid has one receipt, on its way or sent',
    broken: sql`
      SELECT p.id FROM payments p
        JOIN bookings b ON b.id = p.booking_id
        JOIN users u ON u.id = b.buyer_id AND u.deleted_at IS NULL
        LEFT JOIN outbox o ON o.key IN ('paid-receipt:' || b.id, 'paid-receipt:' || b.order_id)
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
  {
    id: 'I14',
    says: 'Every paid booking is in exactly one order, of its buyer and seller',
    broken: sql`
      SELECT b.id FROM bookings b LEFT JOIN orders o ON o.id = b.order_id
      WHERE (b.paid_at IS NOT NULL) <> (o.id IS NOT NULL) OR o.buyer_id <> b.buyer_id OR o.seller_id <> b.seller_id`,
  },
  {
    id: 'I15',
    says: 'Nothing is pending of an order that is over, and nothing is released of one that is not',
    broken: sql`
      SELECT o.id FROM orders o JOIN ledger_transactions t ON t.order_id = o.id JOIN ledger_entries e ON e.transaction_id = t.id
      WHERE e.account = 'seller-pending' AND o.state IN ('closed', 'cancelled') AND o.frozen_at IS NULL
      GROUP BY o.id HAVING sum(e.amount_cents) <> 0
      UNION ALL
      SELECT o.id FROM orders o JOIN ledger_transactions t ON t.kind = 'release' AND t.reference = o.id::text
      WHERE o.state NOT IN ('closed', 'cancelled')`,
  },
  {
    id: 'I16',
    says: 'What is pending of an order is never below nothing',
    broken: sql`
      SELECT t.order_id FROM ledger_transactions t JOIN ledger_entries e ON e.transaction_id = t.id
      WHERE e.account = 'seller-pending' GROUP BY t.order_id HAVING sum(e.amount_cents) > 0`,
  },
  {
    id: 'I17',
    says: 'Nobody was ever paid more than they were due',
    broken: sql`
      SELECT id FROM (SELECT t.id, t.kind, sum(e.amount_cents) OVER (PARTITION BY e.seller_id ORDER BY t.id) AS owes
        FROM ledger_entries e JOIN ledger_transactions t ON t.id = e.transaction_id WHERE e.account = 'seller') AS e
      WHERE kind = 'payout' AND owes > 0`,
  },
  {
    id: 'I18',
    says: 'What is in transit to a seller are the payouts that were asked for',
    broken: sql`
      SELECT seller_id FROM (SELECT seller_id, -sum(amount_cents) AS cents FROM ledger_entries
          WHERE account = 'in-transit' GROUP BY 1) AS e
        FULL JOIN (SELECT seller_id, sum(amount_cents) AS asked FROM payouts WHERE state = 'asked' GROUP BY 1) AS p
          USING (seller_id)
      WHERE coalesce(cents, 0) <> coalesce(asked, 0)`,
  },
  {
    id: 'I19',
    says: 'What left the shop’s own bank are payouts and refunds by hand',
    broken: sql`
      SELECT 0 WHERE (SELECT coalesce(-sum(amount_cents), 0) FROM ledger_entries WHERE account = 'bank')
        <> (SELECT coalesce(sum(amount_cents), 0) FROM payouts WHERE way = 'manual' AND state = 'sent')
        + (SELECT coalesce(sum(e.amount_cents), 0) FROM ledger_entries e JOIN ledger_transactions t ON t.id = e.transaction_id
          WHERE t.kind = 'refund-by-hand' AND e.account = 'owed-to-buyers')`,
  },
  {
    id: 'I20',
    says: 'The timeline of an order leads to its state without a gap',
    broken: sql`
      SELECT o.id FROM orders o
      WHERE o.state IS DISTINCT FROM (SELECT to_state FROM order_events e WHERE e.order_id = o.id ORDER BY id DESC LIMIT 1)
      UNION ALL
      SELECT order_id FROM (SELECT order_id, from_state, lag(to_state) OVER (PARTITION BY order_id ORDER BY id) AS was
        FROM order_events) AS e WHERE from_state IS DISTINCT FROM was`,
  },
  {
    id: 'I21',
    says: 'What has a deadline is not late, and what is over or frozen has none',
    broken: sql`
      SELECT id FROM orders WHERE (due_at IS NOT NULL) AND (state IN ('closed', 'cancelled') OR frozen_at IS NOT NULL)
      UNION ALL
      SELECT id FROM orders WHERE due_at IS NULL AND state NOT IN ('closed', 'cancelled') AND frozen_at IS NULL
      UNION ALL
      SELECT id FROM orders WHERE due_at < (SELECT min(shop_at_before) FROM order_heartbeat) - interval '15 minutes'`,
  },
  {
    id: 'I22',
    says: 'Of a cancelled order all the money goes back, or went with a lost dispute, and nothing is paid out',
    broken: sql`
      SELECT o.id FROM orders o JOIN bookings b ON b.order_id = o.id JOIN payments p ON p.booking_id = b.id AND p.outcome = 'sale'
      WHERE o.state = 'cancelled' AND p.amount_cents > coalesce((SELECT sum(r.amount_cents) FROM refunds r WHERE r.payment_id = p.id), 0)
        AND NOT EXISTS (SELECT FROM dispute_shares s JOIN disputes d ON d.id = s.dispute_id
          WHERE s.payment_id = p.id AND d.state = 'lost')
      UNION ALL
      SELECT o.id FROM orders o JOIN payouts p ON p.order_id = o.id
      WHERE o.state = 'cancelled' AND p.state IN ('asked', 'sent') AND p.reversed_cents < p.amount_cents`,
  },
  {
    id: 'I23',
    says: 'While a bank decides about an order nothing of it is released or paid out',
    broken: sql`
      SELECT o.order_id FROM ledger_transactions o
        JOIN ledger_transactions t ON t.order_id = o.order_id AND t.kind IN ('release', 'payout') AND t.id > o.id
          AND t.id < coalesce((SELECT min(c.id) FROM ledger_transactions c
            WHERE c.reference = o.reference AND c.kind IN ('dispute-won', 'dispute-lost')), 9223372036854775807)
      WHERE o.kind = 'dispute-opened'`,
  },
  {
    id: 'I24',
    says: 'Of an order one payout is asked for at a time, and nothing at the provider is two of ours',
    broken: sql`
      SELECT coalesce(order_id, seller_id)::text FROM payouts WHERE state = 'asked' GROUP BY 1 HAVING count(*) > 1
      UNION ALL
      SELECT provider_id FROM payouts WHERE provider_id IS NOT NULL GROUP BY 1 HAVING count(*) > 1
      UNION ALL
      SELECT provider_id FROM payout_reversals WHERE provider_id IS NOT NULL GROUP BY 1 HAVING count(*) > 1`,
  },
];

/** The pledges about money and copies, in the numbering of docs/money.md. */
export const PLEDGES: readonly Pledge[] = [...ROW_PLEDGES, ...POSTING_PLEDGES];

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
