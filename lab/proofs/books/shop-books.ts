import pg from 'pg';

/** What the shop's database says of money and copies, read by statements of the prover's own. */
export interface ShopBooks {
  readonly bookings: readonly {
    id: string;
    listing_id: string;
    buyer_email: string;
    price_cents: number;
    paid: boolean;
    refunded: boolean;
    /** A bank gave its buyer money of it back. */
    lost: boolean;
    status: string;
  }[];
  readonly intents: readonly {
    booking_id: string;
    checkout_id: string;
    n: number;
    amount_cents: number;
    provider_id: string | null;
  }[];
  /** What each checkout pays, a row a booking. */
  readonly checkouts: readonly {
    checkout_id: string;
    booking_id: string;
    price_cents: number;
    postage_cents: number;
    delivery: 'pickup' | 'post';
  }[];
  readonly payments: readonly {
    id: string;
    booking_id: string;
    order_id: string | null;
    provider_id: string;
    amount_cents: number;
    postage_cents: number;
    refunded_cents: number;
    currency: string;
    outcome: string;
    /** Its order gave all of the price back, whatever became of the postage. */
    given_up: boolean;
  }[];
  readonly refunds: readonly {
    id: string;
    intent_id: string;
    amount_cents: number | null;
    by_bank: boolean;
  }[];
  readonly payouts: readonly {
    id: string;
    amount_cents: number;
    reversed_cents: number;
    state: string;
    provider_id: string | null;
  }[];
  readonly events: readonly string[];
  readonly entries: readonly { account: string; amount_cents: number }[];
  /** Rows of small statements that must find nothing, by what a row would mean. */
  readonly never: readonly { rule: string; what: string; cases: readonly string[] }[];
  /** Mail asked for; `message_id` is there from the first try on. */
  readonly mails: readonly {
    key: string;
    message_id: string | null;
    to_email: string;
    sent: boolean;
    dead: boolean;
    leased: boolean;
  }[];
}

/** Each finds what must never be; the first column names a case. */
const NEVER: readonly (readonly [rule: string, what: string, sql: string])[] = [
  [
    'I1',
    'a copy has more than one sale that stands',
    `SELECT listing_id::text FROM bookings WHERE paid_at IS NOT NULL AND refunded_at IS NULL GROUP BY 1 HAVING count(*) > 1`,
  ],
  ['I1', 'a copy is held more than once', `SELECT listing_id::text FROM holds GROUP BY 1 HAVING count(*) > 1`],
  [
    'I1',
    'a copy’s state and its hold disagree',
    `SELECT l.id::text FROM listings l LEFT JOIN holds h ON h.listing_id = l.id
       WHERE (l.status = 'held') <> (h.listing_id IS NOT NULL)`,
  ],
  [
    'I1',
    'a sale stands and its copy is not sold',
    `SELECT b.id::text FROM bookings b JOIN listings l ON l.id = b.listing_id
       WHERE b.paid_at IS NOT NULL AND b.refunded_at IS NULL AND l.status <> 'sold'`,
  ],
  [
    'I5',
    'a booking has more than one intent that could take money',
    `SELECT booking_id::text FROM payment_intents WHERE state = 'live' GROUP BY 1 HAVING count(*) > 1`,
  ],
  [
    'I2',
    'the shares of a checkout are not its intent',
    `SELECT i.checkout_id::text FROM payment_intents i JOIN checkout_bookings s USING (checkout_id)
       GROUP BY i.checkout_id, i.booking_id, i.n, i.amount_cents HAVING sum(s.price_cents + s.postage_cents) <> i.amount_cents`,
  ],
  [
    'I2',
    'a checkout has bookings of several buyers or sellers',
    `SELECT s.checkout_id::text FROM checkout_bookings s JOIN bookings b ON b.id = s.booking_id
       GROUP BY 1 HAVING count(DISTINCT (b.buyer_id, b.seller_id)) <> 1`,
  ],
  [
    'I5',
    'a booking is in more than one checkout that can take money, or that did',
    `SELECT s.booking_id::text FROM checkout_bookings s JOIN payment_intents i USING (checkout_id)
       GROUP BY 1 HAVING count(*) FILTER (WHERE i.state = 'live') > 1 OR count(*) FILTER (WHERE i.state = 'succeeded') > 1`,
  ],
  [
    'I2',
    'what one intent paid for is not one order',
    `SELECT p.provider_id FROM payments p JOIN bookings b ON b.id = p.booking_id WHERE p.outcome = 'sale'
       GROUP BY 1 HAVING count(DISTINCT b.order_id) <> 1 OR count(b.order_id) <> count(*)`,
  ],
  [
    'I22',
    'money of a cancelled order was paid out',
    `SELECT o.id::text FROM orders o JOIN payouts p ON p.order_id = o.id
       WHERE o.state = 'cancelled' AND p.state IN ('asked', 'sent') AND p.reversed_cents < p.amount_cents`,
  ],
  ['P3', 'an event has more than one row', `SELECT id FROM provider_events GROUP BY 1 HAVING count(*) > 1`],
  ['I8', 'a mail was asked for twice', `SELECT key FROM outbox GROUP BY 1 HAVING count(*) > 1`],
  [
    'ledger',
    'a posting does not sum to zero',
    `SELECT transaction_id::text FROM ledger_entries GROUP BY 1 HAVING sum(amount_cents) <> 0`,
  ],
  [
    'ledger',
    'a payment was posted other than once',
    `SELECT p.id::text FROM payments p LEFT JOIN ledger_transactions t
       ON t.reference = p.id::text AND t.kind IN ('sale', 'stray-payment')
       GROUP BY p.id HAVING count(t.id) <> 1`,
  ],
  [
    'I15',
    'an order has ended and money of it is pending, or it is open and its money released',
    `SELECT o.id::text FROM orders o WHERE o.frozen_at IS NULL AND o.state IN ('closed', 'cancelled') AND EXISTS (
         SELECT FROM ledger_transactions t JOIN ledger_entries e ON e.transaction_id = t.id
         WHERE t.order_id = o.id AND e.account = 'seller-pending' GROUP BY t.order_id HAVING sum(e.amount_cents) <> 0)
       UNION SELECT o.id::text FROM orders o JOIN ledger_transactions t ON t.order_id = o.id AND t.kind = 'release'
         WHERE o.state NOT IN ('closed', 'cancelled')`,
  ],
  [
    'I17',
    'a seller was paid more than they were due',
    `SELECT id::text FROM (SELECT t.id, t.kind, sum(e.amount_cents) OVER (PARTITION BY e.seller_id ORDER BY t.id) AS owes
       FROM ledger_entries e JOIN ledger_transactions t ON t.id = e.transaction_id WHERE e.account = 'seller') AS e
       WHERE kind = 'payout' AND owes > 0`,
  ],
  [
    'I18',
    'what a seller’s payouts are on their way with is not what the ledger says',
    `SELECT seller_id::text FROM (
         SELECT seller_id, amount_cents AS cents FROM payouts WHERE state = 'asked'
         UNION ALL SELECT seller_id, amount_cents FROM ledger_entries WHERE account = 'in-transit') AS moving
       GROUP BY 1 HAVING sum(cents) <> 0`,
  ],
  [
    'I24',
    'an order has two payouts on their way',
    `SELECT order_id::text FROM payouts WHERE state = 'asked' AND order_id IS NOT NULL GROUP BY 1 HAVING count(*) > 1`,
  ],
  [
    'I13',
    'a sale stands for a copy that was withdrawn',
    `SELECT b.id::text FROM bookings b JOIN listings l ON l.id = b.listing_id
       WHERE b.paid_at IS NOT NULL AND b.refunded_at IS NULL AND l.status = 'withdrawn'`,
  ],
];

const firstColumn = (rows: Record<string, unknown>[]): string[] => rows.map((row) => String(Object.values(row)[0]));

/** All of it at one moment. */
export const readShopBooks = async (url: string): Promise<ShopBooks> => {
  const client = new pg.Client({ connectionString: url, application_name: 'prove' });
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const rows = async (sql: string) => (await client.query(sql)).rows;
    const never = [];
    for (const [rule, what, sql] of NEVER) never.push({ rule, what, cases: firstColumn(await rows(sql)) });
    return {
      bookings: await rows(
        `SELECT b.id, b.listing_id, b.buyer_email, b.price_cents, b.paid_at IS NOT NULL AS paid,
                b.refunded_at IS NOT NULL AS refunded, l.status,
                EXISTS (SELECT FROM payments p JOIN dispute_shares s ON s.payment_id = p.id JOIN disputes d ON d.id = s.dispute_id
                  WHERE p.booking_id = b.id AND (d.state = 'lost' OR d.lost_at IS NOT NULL)) AS lost
           FROM bookings b JOIN listings l ON l.id = b.listing_id`,
      ),
      intents: await rows(`SELECT booking_id, checkout_id, n, amount_cents, provider_id FROM payment_intents`),
      checkouts: await rows(
        `SELECT s.checkout_id, s.booking_id, s.price_cents, s.postage_cents, c.delivery
           FROM checkout_bookings s JOIN checkouts c ON c.id = s.checkout_id`,
      ),
      payments: await rows(
        `SELECT p.id, p.booking_id, b.order_id, p.provider_id, p.amount_cents, p.postage_cents, p.refunded_cents, p.currency, p.outcome,
                coalesce((SELECT sum(r.amount_cents - r.postage_cents) FROM refunds r
                  WHERE r.payment_id = p.id AND r.state = 'done' AND r.reason = 'order') = p.amount_cents - p.postage_cents, false)
                  AS given_up
           FROM payments p JOIN bookings b ON b.id = p.booking_id`,
      ),
      refunds: await rows(`SELECT id, intent_id, amount_cents, dispute_id IS NOT NULL AS by_bank FROM refunds`),
      payouts: await rows(`SELECT id, amount_cents, reversed_cents, state, provider_id FROM payouts`),
      events: firstColumn(await rows(`SELECT id FROM provider_events`)),
      entries: await rows(`SELECT account, sum(amount_cents)::integer AS amount_cents FROM ledger_entries GROUP BY 1`),
      mails: await rows(
        `SELECT key, message_id, to_email, sent_at IS NOT NULL AS sent, dead_at IS NOT NULL AS dead,
                coalesce(leased_until > now(), false) AS leased
           FROM outbox`,
      ),
      never,
    };
  } finally {
    await client.end();
  }
};
