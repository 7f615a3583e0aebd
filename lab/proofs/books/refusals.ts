import pg from 'pg';
import { findingOf, type Finding } from './finding.ts';

/** A second row where there may be one, and a check that does not hold. */
const REFUSALS: ReadonlySet<string> = new Set(['23505', '23514']);

/**
 * What the database itself must refuse, whatever the code above it does: each statement writes a second row where there
 * may be one. `{copy}` is a copy that is held.
 */
const FORBIDDEN: readonly (readonly [rule: string, what: string, sql: string])[] = [
  [
    'I1',
    'a second hold of a held copy',
    `INSERT INTO holds (listing_id, booking_id, buyer_id, expires_at)
       SELECT h.listing_id, b.id, b.buyer_id, now() FROM holds h
         JOIN bookings b ON NOT EXISTS (SELECT FROM holds x WHERE x.booking_id = b.id) LIMIT 1`,
  ],
  [
    'I1',
    'a second sale of a sold copy',
    `INSERT INTO bookings (listing_id, buyer_id, seller_id, title, authors, image_url, buyer_name, buyer_email, phone, location, price_cents, paid_at)
       SELECT listing_id, buyer_id, seller_id, title, authors, image_url, buyer_name, buyer_email, phone, location, price_cents, now()
       FROM bookings WHERE paid_at IS NOT NULL AND refunded_at IS NULL LIMIT 1`,
  ],
  [
    'I5',
    'a second live intent of a booking',
    `WITH one AS (SELECT booking_id, max(n) AS n, min(amount_cents) AS cents FROM payment_intents GROUP BY 1 LIMIT 1),
          live AS (UPDATE payment_intents p SET state = 'live' FROM one
                     WHERE p.booking_id = one.booking_id AND p.n = one.n RETURNING p.booking_id)
       INSERT INTO payment_intents (booking_id, n, amount_cents) SELECT booking_id, n + 1, cents FROM one`,
  ],
  [
    'I2',
    'a second payment by one intent',
    `INSERT INTO payments (booking_id, provider_id, amount_cents, currency)
       SELECT booking_id, provider_id, amount_cents, currency FROM payments LIMIT 1`,
  ],
  [
    'P3',
    'an event a second time',
    `INSERT INTO provider_events (id, type) SELECT id, type FROM provider_events LIMIT 1`,
  ],
  [
    'P10',
    'a second refund by one number',
    `INSERT INTO refunds (payment_id, intent_id, n, reason) SELECT payment_id, intent_id, n, 'lost-copy' FROM refunds LIMIT 1`,
  ],
  [
    'P10',
    'more back than was paid',
    `INSERT INTO refunds (payment_id, n, reason, amount_cents)
       SELECT payment_id, 1000000, 'lost-copy', 1 FROM refunds WHERE state = 'done' AND amount_cents =
         (SELECT amount_cents FROM payments WHERE id = payment_id) LIMIT 1`,
  ],
  [
    'ledger',
    'a posting a second time',
    `INSERT INTO ledger_transactions (kind, reference, booking_id, seller_id)
       SELECT kind, reference, booking_id, seller_id FROM ledger_transactions LIMIT 1`,
  ],
];

/**
 * Tries each, undoes it, and tells which the database let in. One for which there is no row to copy proves nothing and
 * is named.
 */
export const tryForbidden = async (url: string): Promise<{ findings: Finding[]; untried: string[] }> => {
  const client = new pg.Client({ connectionString: url, application_name: 'prove' });
  await client.connect();
  const findings: Finding[] = [];
  const untried: string[] = [];
  try {
    for (const [rule, what, sql] of FORBIDDEN) {
      await client.query('BEGIN');
      try {
        const { rowCount } = await client.query(sql);
        if (rowCount === 0) untried.push(what);
        else findings.push(...findingOf(rule, 'the database let in', [what]));
      } catch (error) {
        if (!(error instanceof pg.DatabaseError) || !REFUSALS.has(error.code ?? '')) throw error;
      } finally {
        await client.query('ROLLBACK');
      }
    }
    return { findings, untried };
  } finally {
    await client.end();
  }
};
