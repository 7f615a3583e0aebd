import { sql } from 'kysely';
import type { StatementKind } from '#contract/money/ledger.ts';
import type { Db } from '#server/platform/postgres/db.ts';

export interface StatementFacts {
  readonly id: string;
  readonly at: Date;
  readonly kind: StatementKind;
  /** Null, with no title, where no sale is concerned. */
  readonly bookingId: string | null;
  readonly title: string;
  /** Cents, above zero where they are owed to the seller or kept by somebody; pending ones are among them. */
  readonly amountCents: number;
  readonly balanceCents: number;
  /** Of the balance, what is owed only once its orders are closed. */
  readonly pendingCents: number;
  /** What was paid, of a release what is due by it, and of a payout all of it. */
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
    .leftJoin('bookings as b', 'b.id', 't.booking_id')
    .select([
      't.id',
      't.posted_at as at',
      sql<StatementKind>`t.kind`.as('kind'),
      't.booking_id as bookingId',
      sql<string>`coalesce(b.title, '')`.as('title'),
      sql<number>`-(${put('seller')} + ${put('seller-pending')})`.as('amountCents'),
      sql<number>`(sum(-(${put('seller')} + ${put('seller-pending')})) OVER (ORDER BY t.id))::float8`.as(
        'balanceCents',
      ),
      sql<number>`(sum(-${put('seller-pending')}) OVER (ORDER BY t.id))::float8`.as('pendingCents'),
      sql<number>`CASE WHEN t.kind = 'release' THEN ${put('seller-pending')}
        WHEN t.kind LIKE 'payout%' THEN abs(${put('seller')}) ELSE ${put('provider')} END`.as('priceCents'),
      sql<number>`-${put('provider-fees')}`.as('feeCents'),
      sql<number>`-${put('commission')}`.as('commissionCents'),
    ])
    .where('t.seller_id', '=', sellerId)
    // What has left was taken off when it was asked for.
    .where('t.kind', '<>', 'payout-sent');
  return db
    .selectFrom(rows.as('statement'))
    .selectAll()
    .$if(page.before !== undefined, (query) => query.where('id', '<', page.before ?? ''))
    .orderBy('id', 'desc')
    .$if(page.limit !== undefined, (query) => query.limit(page.limit ?? 0))
    .execute();
};
