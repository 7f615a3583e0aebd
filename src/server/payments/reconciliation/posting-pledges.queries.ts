import { sql, type RawBuilder } from 'kysely';

/** Something that must never be otherwise; `broken` selects a row for each place where it is. */
export interface Pledge {
  readonly id: string;
  readonly says: string;
  readonly broken: RawBuilder<unknown>;
}

/**
 * Postings of these kinds: `cents` is what each has on an account, and `strays` whether it has anything on an account
 * that is neither this one nor among the others that belong to it.
 */
const posted = (kinds: readonly string[], account: string, others: readonly string[]): RawBuilder<unknown> => sql`
  (SELECT x.id, x.kind, x.reference, x.booking_id, x.order_id,
    coalesce(sum(e.amount_cents) FILTER (WHERE e.account = ${account}), 0) AS cents,
    coalesce(bool_or(e.account <> ALL (${[account, ...others]}::text[])), false) AS strays
  FROM ledger_transactions x LEFT JOIN ledger_entries e ON e.transaction_id = x.id
  WHERE x.kind = ANY (${kinds}::text[]) GROUP BY x.id)`;

/** A row and the posting named after it, each with its amount: broken where one is missing, or they differ. */
const pairs = (rows: RawBuilder<unknown>, postings: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  SELECT coalesce(r.key, t.reference) FROM ${rows} r FULL JOIN ${postings} t ON t.reference = r.key
  WHERE t.cents IS DISTINCT FROM r.cents OR t.strays`;

/** Postings about a refund's money, by what they are named after; what was taken back again is nothing. */
const tries = (kinds: readonly string[], others: readonly string[]): RawBuilder<unknown> => sql`
  (SELECT x.reference, nullif(sum(x.cents), 0) AS cents,
    bool_or(x.strays) OR NOT bool_or(x.cents > 0) OR count(r.id) = 0 AS strays
  FROM ${posted(kinds, 'owed-to-buyers', others)} x LEFT JOIN refunds r ON r.id::text = split_part(x.reference, ':', 1)
  WHERE NOT EXISTS (SELECT FROM old WHERE old.payment = r.payment_id::text)
  GROUP BY 1)`;

const OF_SALES: readonly string[] = ['provider', 'provider-fees', 'commission', 'seller-pending', 'seller'];
const OF_STRAYS: readonly string[] = ['provider', 'provider-fees', 'owed-to-buyers', 'refund-costs'];
const OF_REFUNDS: readonly string[] = ['seller-pending', 'seller', 'commission', 'refund-costs'];

/** That every row which money moved for has exactly its postings, and that no posting lacks its row. */
export const POSTING_PLEDGES: readonly Pledge[] = [
  {
    id: 'I6',
    says: 'Every payment has exactly its postings, and no sale, postage or release is of nothing',
    broken: sql`
      SELECT coalesce(p.id::text, t.reference)
      FROM payments p
        FULL JOIN (SELECT x.reference, x.kind,
            coalesce(sum(e.amount_cents) FILTER (WHERE e.account = 'provider'), 0) AS taken,
            -coalesce(sum(e.amount_cents) FILTER (WHERE e.account = 'provider-fees'), 0) AS fee,
            -coalesce(sum(e.amount_cents) FILTER (WHERE e.account = 'commission'), 0) AS commission,
            -coalesce(sum(e.amount_cents) FILTER (WHERE e.account = 'owed-to-buyers'), 0) AS owed,
            bool_or(e.account <> ALL (CASE x.kind WHEN 'sale' THEN ${OF_SALES}::text[] ELSE ${OF_STRAYS}::text[] END)) AS strays
          FROM ledger_transactions x LEFT JOIN ledger_entries e ON e.transaction_id = x.id
          WHERE x.kind IN ('sale', 'stray-payment') GROUP BY x.id) t
        ON t.reference = p.id::text
      WHERE p.id IS NULL OR t.reference IS NULL OR t.strays
        OR t.kind <> CASE p.outcome WHEN 'sale' THEN 'sale' ELSE 'stray-payment' END
        OR (t.taken, t.owed) <> (CASE p.outcome WHEN 'sale' THEN p.amount_cents - p.postage_cents ELSE p.amount_cents END,
          CASE p.outcome WHEN 'sale' THEN 0 ELSE p.amount_cents END)
        OR (p.outcome = 'sale' AND (t.fee, t.commission) <> (p.fee_cents, p.commission_cents))
      UNION ALL
      ${pairs(
        sql`(SELECT b.order_id::text AS key, sum(p.postage_cents) AS cents FROM payments p
          JOIN bookings b ON b.id = p.booking_id WHERE p.outcome = 'sale' AND p.postage_cents > 0 GROUP BY 1)`,
        posted(['postage'], 'provider', ['provider-fees', 'seller-pending']),
      )}
      UNION ALL
      SELECT t.reference FROM ${posted(['release'], 'seller-pending', ['seller'])} t
        LEFT JOIN orders o ON o.id::text = t.reference AND o.id = t.order_id
      WHERE o.id IS NULL OR t.strays OR t.cents <= 0`,
  },
  {
    id: 'I6b',
    says: 'Every refund has exactly its postings, decided, sent or failed, and none is of nothing',
    // Before refunds had parts one posting was both, named after the payment and what of it was given back by then.
    broken: sql`
      WITH old AS MATERIALIZED (
        SELECT DISTINCT split_part(x.reference, ':', 1) AS payment FROM ledger_transactions x
          JOIN ledger_entries e ON e.transaction_id = x.id AND e.account = 'provider'
        WHERE x.kind = 'refund'),
      own AS MATERIALIZED (
        SELECT r.*, p.outcome FROM refunds r JOIN payments p ON p.id = r.payment_id
        WHERE NOT EXISTS (SELECT FROM old WHERE old.payment = p.id::text))
      ${pairs(
        sql`(SELECT id::text AS key, -amount_cents AS cents FROM own WHERE outcome = 'sale' AND amount_cents IS NOT NULL)`,
        sql`(SELECT * FROM ${posted(['refund', 'part-refund'], 'owed-to-buyers', OF_REFUNDS)} x
          WHERE NOT EXISTS (SELECT FROM old WHERE old.payment = split_part(x.reference, ':', 1)))`,
      )}
      UNION ALL
      ${pairs(
        sql`(SELECT id || ':' || n AS key, amount_cents AS cents FROM own
          WHERE state = 'done' AND by_hand_reference IS NULL AND dispute_id IS NULL)`,
        tries(['refund-sent', 'refund-failed'], ['provider']),
      )}
      UNION ALL
      ${pairs(
        sql`(SELECT id::text AS key, amount_cents AS cents FROM refunds WHERE by_hand_reference IS NOT NULL)`,
        posted(['refund-by-hand'], 'owed-to-buyers', ['bank']),
      )}
      UNION ALL
      ${pairs(
        sql`(SELECT id || ':' || dispute_id AS key, amount_cents AS cents FROM own WHERE dispute_id IS NOT NULL)`,
        tries(['refund-by-bank', 'refund-owed-again'], ['refund-costs']),
      )}
      UNION ALL
      SELECT payment FROM old LEFT JOIN payments p ON p.id::text = payment WHERE p.id IS NULL`,
  },
  {
    id: 'I6c',
    says: 'Every share of a dispute has exactly the postings of where it stands, and none is of nothing',
    // Before disputes had shares a posting was named after the dispute alone.
    broken: sql`
      SELECT coalesce(t.dispute, s.dispute_id)
      FROM (SELECT s.dispute_id, s.payment_id::text AS payment, s.amount_cents AS cents, d.state, d.lost_at IS NOT NULL AS was_lost
          FROM dispute_shares s JOIN disputes d ON d.id = s.dispute_id) s
        FULL JOIN (SELECT split_part(x.reference, ':', 1) AS dispute,
            coalesce(nullif(split_part(x.reference, ':', 2), ''), d.payment_id::text) AS payment,
            array_agg(DISTINCT x.kind ORDER BY x.kind) AS kinds,
            coalesce(sum(e.amount_cents) FILTER (WHERE e.account = 'dispute-reserve' AND x.kind = 'dispute-opened'), 0) AS opened,
            coalesce(sum(e.amount_cents) FILTER (WHERE e.account = 'dispute-reserve'), 0) AS reserve,
            coalesce(sum(e.amount_cents) FILTER (WHERE e.account = 'provider'), 0) AS provider
          FROM ledger_transactions x LEFT JOIN ledger_entries e ON e.transaction_id = x.id
            LEFT JOIN disputes d ON d.id = x.reference
          WHERE x.kind IN ('dispute-opened', 'dispute-won', 'dispute-lost') GROUP BY 1, 2) t
        ON t.dispute = s.dispute_id AND t.payment = s.payment
      WHERE -t.opened IS DISTINCT FROM s.cents
        OR t.kinds IS DISTINCT FROM CASE WHEN s.state = 'open' THEN ARRAY['dispute-opened']
          WHEN s.state = 'lost' THEN ARRAY['dispute-lost', 'dispute-opened']
          WHEN s.was_lost THEN ARRAY['dispute-lost', 'dispute-opened', 'dispute-won']
          ELSE ARRAY['dispute-opened', 'dispute-won'] END
        OR t.reserve <> CASE s.state WHEN 'open' THEN -s.cents ELSE 0 END
        OR t.provider <> CASE s.state WHEN 'lost' THEN -s.cents ELSE 0 END
      UNION ALL
      ${pairs(
        sql`(SELECT id AS key, -fee_cents AS cents FROM disputes WHERE fee_cents <> 0)`,
        sql`(SELECT split_part(x.reference, ':', 1) AS reference, nullif(sum(x.cents), 0) AS cents, bool_or(x.strays) AS strays
          FROM ${posted(['dispute-fee'], 'provider-fees', ['refund-costs'])} x GROUP BY 1)`,
      )}`,
  },
  {
    id: 'I6d',
    says: 'Every payout and correction has exactly its postings, and none is of nothing',
    broken: sql`
      SELECT coalesce(p.id::text, t.reference) FROM payouts p
        FULL JOIN (SELECT reference, array_agg(kind ORDER BY kind) AS kinds, min(abs(cents)) AS least, max(abs(cents)) AS most,
            bool_or(strays) AS strays
          FROM (SELECT * FROM ${posted(['payout', 'payout-refused'], 'in-transit', ['seller'])} a
            UNION ALL SELECT * FROM ${posted(['payout-sent'], 'in-transit', ['provider', 'bank'])} b) x GROUP BY 1) t
        ON t.reference = p.id::text
      WHERE t.least IS DISTINCT FROM p.amount_cents OR t.most <> t.least OR t.strays
        OR t.kinds IS DISTINCT FROM CASE p.state WHEN 'asked' THEN ARRAY['payout']
          WHEN 'refused' THEN ARRAY['payout', 'payout-refused'] ELSE ARRAY['payout', 'payout-sent'] END
      UNION ALL
      SELECT p.id::text FROM payouts p JOIN ledger_transactions x ON x.kind = 'payout-sent' AND x.reference = p.id::text
        JOIN ledger_entries e ON e.transaction_id = x.id AND e.account <> 'in-transit'
      WHERE e.account <> CASE p.way WHEN 'manual' THEN 'bank' ELSE 'provider' END
      UNION ALL
      ${pairs(
        sql`(SELECT id::text AS key, amount_cents AS cents FROM payout_reversals WHERE state = 'done')`,
        posted(['payout-reversed'], 'provider', ['seller']),
      )}
      UNION ALL
      ${pairs(
        sql`(SELECT id::text AS key, amount_cents AS cents FROM payouts WHERE state = 'returned')`,
        posted(['payout-returned'], 'bank', ['seller']),
      )}
      UNION ALL
      ${pairs(
        sql`(SELECT id::text AS key, -amount_cents AS cents FROM adjustments WHERE state = 'booked')`,
        posted(['adjustment'], 'seller', ['refund-costs', 'commission']),
      )}
      UNION ALL
      SELECT a.id::text FROM adjustments a JOIN ledger_transactions x ON x.kind = 'adjustment' AND x.reference = a.id::text
        JOIN ledger_entries e ON e.transaction_id = x.id AND e.account NOT IN ('seller', a.account)
      UNION ALL
      SELECT p.id::text FROM payouts p WHERE p.reversed_cents <> coalesce((SELECT sum(r.amount_cents)
        FROM payout_reversals r WHERE r.payout_id = p.id AND r.state = 'done'), 0)`,
  },
  {
    id: 'I25',
    says: 'What is owed to buyers is what was decided to go back and has not, and money that bought nothing',
    broken: sql`
      SELECT 0 WHERE (SELECT coalesce(-sum(amount_cents), 0) FROM ledger_entries WHERE account = 'owed-to-buyers')
        <> (SELECT coalesce(sum(r.amount_cents), 0) FROM refunds r JOIN payments p ON p.id = r.payment_id
          WHERE p.outcome = 'sale' AND r.state <> 'done')
        + (SELECT coalesce(sum(amount_cents), 0) FROM payments WHERE outcome = 'returned')
        - (SELECT coalesce(sum(r.amount_cents), 0) FROM refunds r JOIN payments p ON p.id = r.payment_id
          WHERE p.outcome = 'returned' AND r.state = 'done')`,
  },
  {
    id: 'I26',
    says: 'What is set aside for disputes is what the open ones are about',
    broken: sql`
      SELECT 0 WHERE (SELECT coalesce(-sum(amount_cents), 0) FROM ledger_entries WHERE account = 'dispute-reserve')
        <> (SELECT coalesce(sum(s.amount_cents), 0) FROM dispute_shares s JOIN disputes d ON d.id = s.dispute_id
          WHERE d.state = 'open')`,
  },
];
