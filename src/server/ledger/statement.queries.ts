import { sql } from 'kysely';
import type { StatementKind } from '#contract/money/ledger.ts';
import type { Db } from '#server/platform/postgres/db.ts';

export interface StatementFacts {
  readonly id: string;
  readonly at: Date;
  readonly kind: StatementKind;
  readonly bookingId: string;
  readonly title: string;
  /** Cents, above zero where they are owed to the seller or kept by somebody. */
  readonly amountCents: number;
  readonly balanceCents: number;
  readonly priceCents: number;
  readonly feeCents: number;
  readonly commissionCents: number;
}

const put = (account: string) =>
  sql<number>`coalesce((SELECT amount_cents FROM ledger_entries e WHERE e.transaction_id = t.id AND e.account = ${sql.lit(account)}), 0)`;

/**
 * A seller's postings with the balance after each, newest first, those before `before`; all of them without a limit.
 */
export const listStatementRows = (
  db: Db,
  sellerId: string,
  page: { before: string | undefined; limit: number | undefined },
): Promise<StatementFacts[]> => {
  const rows = db
    .selectFrom('ledger_transactions as t')
    .innerJoin('bookings as b', 'b.id', 't.booking_id')
    .leftJoin('ledger_entries as own', (join) =>
      join.onRef('own.transaction_id', '=', 't.id').on('own.account', '=', 'seller'),
    )
    .select([
      't.id',
      't.posted_at as at',
      sql<StatementKind>`t.kind`.as('kind'),
      't.booking_id as bookingId',
      'b.title',
      sql<number>`-coalesce(own.amount_cents, 0)`.as('amountCents'),
      sql<number>`(sum(-coalesce(own.amount_cents, 0)) OVER (ORDER BY t.id))::float8`.as('balanceCents'),
      put('provider').as('priceCents'),
      sql<number>`-${put('provider-fees')}`.as('feeCents'),
      sql<number>`-${put('commission')}`.as('commissionCents'),
    ])
    .where('t.seller_id', '=', sellerId);
  return db
    .selectFrom(rows.as('statement'))
    .selectAll()
    .$if(page.before !== undefined, (query) => query.where('id', '<', page.before ?? ''))
    .orderBy('id', 'desc')
    .$if(page.limit !== undefined, (query) => query.limit(page.limit ?? 0))
    .execute();
};
