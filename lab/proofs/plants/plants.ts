import type { ProofPart } from '#lab/proofs/prove.ts';

/** A text that must be in a file exactly once, and what stands there instead. */
export type Edit = readonly [file: string, find: string, replace: string];

/** A mistake of a kind that real shops made, planted into a copy of this one. */
export interface Plant {
  readonly name: string;
  readonly edits: readonly Edit[];
  /** The rules by one of which it must be found. */
  readonly caughtBy: readonly string[];
  /** The part of the proof that brings it out for certain. */
  readonly part: ProofPart;
}

const NO_INDEXES: readonly Edit[] = [
  [
    'db/migrations/0003-bookings.sql',
    'listing_id uuid PRIMARY KEY REFERENCES listings,',
    'listing_id uuid NOT NULL REFERENCES listings,',
  ],
  [
    'db/migrations/0003-bookings.sql',
    'CREATE UNIQUE INDEX bookings_one_paid_a_copy',
    'CREATE INDEX bookings_one_paid_a_copy',
  ],
];

/** Check and write in two steps, as in saleor/saleor#543, opencart/opencart#4811, spree/spree#3808 and others. */
export const NO_GUARD: Plant = {
  name: 'no unique index, and a state that is read before it is written',
  edits: [
    ...NO_INDEXES,
    ['src/server/catalog/listings/listing.queries.ts', `    .where('status', '=', from)\n`, ''],
    [
      'src/server/catalog/listings/listing.queries.ts',
      `WHERE id = $1 AND status = 'available' FOR NO KEY UPDATE`,
      `WHERE id = $1 AND status = 'available'`,
    ],
  ],
  caughtBy: ['I1'],
  part: 'rush',
};

export const PLANTS: readonly Plant[] = [
  NO_GUARD,
  { name: 'no unique index', edits: NO_INDEXES, caughtBy: ['I1'], part: 'quiet scenes' },
  {
    // Pinelab-studio/pinelab-vendure-plugins#620
    name: 'no event dedup',
    edits: [
      [
        'db/migrations/0005-payments.sql',
        'CREATE TABLE provider_events (\n  id text PRIMARY KEY,',
        'CREATE TABLE provider_events (\n  id text NOT NULL,',
      ],
      ['db/migrations/0005-payments.sql', ' REFERENCES provider_events DEFERRABLE INITIALLY DEFERRED', ''],
      [
        'src/server/payments/settlement/event.queries.ts',
        'EXISTS (SELECT FROM provider_events WHERE id = ${id}) AS "isKnown"',
        '${id}::text IS NULL AS "isKnown"',
      ],
    ],
    caughtBy: ['P3'],
    part: 'quiet scenes',
  },
  {
    // medusajs/medusa#16292, #16681
    name: 'a new key on retry',
    edits: [
      [
        'src/server/payments/stripe-provider.ts',
        '{ idempotencyKey: `pi:${intent.checkoutId}:${intent.n}` }',
        '{ idempotencyKey: `pi:${intent.checkoutId}:${intent.n}:${Math.random()}` }',
      ],
    ],
    caughtBy: ['I5'],
    part: 'quiet scenes',
  },
  {
    name: 'the client’s price believed',
    edits: [
      [
        'src/server/payments/intents/payment.service.ts',
        `    if (wish.cents !== booked && wish.cents !== prices.get(named)) throw priceChanged();\n`,
        '',
      ],
      [
        'src/server/payments/intents/payment.service.ts',
        '    const amountCents = checkout.bookings.reduce((sum, each) => sum + each.priceCents + each.postageCents, 0);\n',
        '    const amountCents = wish.cents;\n',
      ],
    ],
    caughtBy: ['P1'],
    part: 'quiet scenes',
  },
  {
    // A payout whose answer was lost is asked for anew instead of looked for: elizaOS/eliza#11022, spree/spree#14500.
    // At once, as the comparison with the provider would find it.
    name: 'a new key for a payout whose answer was lost',
    edits: [
      [
        'src/server/payments/payouts/transfer.service.ts',
        'key: `tr:${nameOf(payout)}:${n}`,',
        'key: `tr:${nameOf(payout)}:${n}:${Math.random()}`,',
      ],
      [
        'src/server/payments/payouts/transfer.service.ts',
        'const made = wasAsked ? await connect.findTransfer(transfer) : undefined;',
        'const made = wasAsked ? undefined : undefined;',
      ],
      ['src/server/payments/payouts/transfer.service.ts', 'const LEASE_SECONDS = 30;', 'const LEASE_SECONDS = 1;'],
    ],
    caughtBy: ['I19', 'I24'],
    part: 'deliveries',
  },
  {
    name: 'provider call inside the lock',
    edits: [
      [
        'src/server/payments/intents/payment.service.ts',
        `  const facts = await askFor(deps, intent);
  if (facts.status === 'succeeded') {`,
        `  const facts = await deps.db.transaction().execute(async (trx) => {
    await lockBookings(trx, [booking.id]);
    return askFor(deps, intent);
  });
  if (facts.status === 'succeeded') {`,
      ],
    ],
    caughtBy: ['I12'],
    part: 'quiet scenes',
  },
];
