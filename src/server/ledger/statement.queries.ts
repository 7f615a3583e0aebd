import { sql, type SqlBool } from 'kysely';
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
  /** Of a refund only where all of it is the seller's to bear. */
  readonly feeCents: number;
  readonly commissionCents: number;
  /** Whether the seller bears the provider's fee of what was given back. */
  readonly bearsFee: boolean;
  /** Why an admin has corrected what is due; empty for everything else. */
  readonly reason: string;
}

/** A year by the calendar of the shop's zone. */
export interface ShopYear {
  readonly year: number;
  readonly timeZone: string;
}

const yearOf = (time: string, timeZone: string) =>
  sql<number>`extract(year FROM ${sql.ref(time)} AT TIME ZONE ${timeZone})::integer`;

const UUID = '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$';

const put = (account: string) =>
  sql<number>`coalesce((SELECT amount_cents FROM ledger_entries e WHERE e.transaction_id = t.id AND e.account = ${sql.lit(account)}), 0)`;

/**
 * A seller's postings with the balance after each, newest first, those before `before`; all of them without a limit.
 */
export const listStatementRows = (
  db: Db,
  sellerId: string,
  page: { before?: string | undefined; limit?: number | undefined; year?: ShopYear | undefined },
): Promise<StatementFacts[]> => {
  const rows = db
    .selectFrom('ledger_transactions as t')
    .leftJoin('bookings as b', 'b.id', 't.booking_id')
    // What was refunded before refunds had parts is named by its payment, and was the shop's to bear.
    .leftJoin('refunds as r', (join) =>
      join.on(sql<SqlBool>`r.id = CASE WHEN t.kind IN ('refund', 'part-refund') AND t.reference ~ ${UUID}
        THEN t.reference::uuid END`),
    )
    .leftJoin('payments as p', 'p.id', 'r.payment_id')
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
      sql<number>`CASE WHEN r.borne_by = 'seller' AND r.amount_cents = p.amount_cents
        THEN p.fee_cents + p.postage_fee_cents ELSE -${put('provider-fees')} END`.as('feeCents'),
      sql<number>`-${put('commission')}`.as('commissionCents'),
      sql<string>`coalesce((SELECT a.reason FROM adjustments a
        WHERE a.id = CASE WHEN t.kind = 'adjustment' AND t.reference ~ ${UUID} THEN t.reference::uuid END), '')`.as(
        'reason',
      ),
      sql<boolean>`coalesce(r.borne_by = 'seller', false)`.as('bearsFee'),
      page.year === undefined ? sql<number>`0`.as('year') : yearOf('t.posted_at', page.year.timeZone).as('year'),
    ])
    .where('t.seller_id', '=', sellerId)
    // What has left was taken off when it was asked for.
    .where('t.kind', '<>', 'payout-sent');
  return db
    .selectFrom(rows.as('statement'))
    .select([
      'id',
      'at',
      'kind',
      'bookingId',
      'title',
      'amountCents',
      'balanceCents',
      'pendingCents',
      'priceCents',
      'feeCents',
      'commissionCents',
      'bearsFee',
      'reason',
    ])
    .$if(page.year !== undefined, (query) => query.where('year', '=', page.year?.year ?? 0))
    .$if(page.before !== undefined, (query) => query.where('id', '<', page.before ?? ''))
    .orderBy('id', 'desc')
    .$if(page.limit !== undefined, (query) => query.limit(page.limit ?? 0))
    .execute();
};

/** What the seller's postings of a year add up to, in cents. */
export interface YearFacts {
  readonly year: number;
  readonly sold: number;
  readonly priceCents: number;
  readonly postageCents: number;
  readonly feeCents: number;
  readonly commissionCents: number;
  readonly givenBackCents: number;
  readonly adjustedCents: number;
  readonly paidOutCents: number;
}

const GIVEN_BACK = ['part-refund', 'refund', 'dispute-opened', 'dispute-won'];
const PAID_OUT = ['payout', 'payout-refused', 'payout-reversed', 'payout-returned'];
const THEIRS = ['seller', 'seller-pending'];

/** Each year of a seller, the newest first. */
export const listYears = (db: Db, sellerId: string, timeZone: string): Promise<YearFacts[]> => {
  const sum = (accounts: readonly string[], kinds: readonly string[]) =>
    sql<number>`coalesce(sum(e.amount_cents) FILTER (WHERE e.account IN (${sql.join(accounts)})
      AND t.kind IN (${sql.join(kinds)})), 0)::float8`;
  return db
    .selectFrom('ledger_transactions as t')
    .innerJoin('ledger_entries as e', 'e.transaction_id', 't.id')
    .select([
      yearOf('t.posted_at', timeZone).as('year'),
      sql<number>`(count(DISTINCT t.id) FILTER (WHERE t.kind = 'sale'))::integer`.as('sold'),
      sum(['provider'], ['sale']).as('priceCents'),
      sum(['provider'], ['postage']).as('postageCents'),
      sql<number>`-${sum(['provider-fees'], ['sale', 'postage'])}`.as('feeCents'),
      sql<number>`-${sum(['commission'], ['sale'])}`.as('commissionCents'),
      sum(THEIRS, GIVEN_BACK).as('givenBackCents'),
      sql<number>`-${sum(['seller'], ['adjustment'])}`.as('adjustedCents'),
      sum(['seller'], PAID_OUT).as('paidOutCents'),
    ])
    .where('t.seller_id', '=', sellerId)
    .groupBy('year')
    .orderBy('year', 'desc')
    .execute();
};

/** What is on a seller's accounts, in cents above zero where it is theirs. */
export const readAccounts = (
  db: Db,
  sellerId: string,
): Promise<{ pendingCents: number; dueCents: number; onItsWayCents: number }> => {
  const on = (account: string) =>
    sql<number>`coalesce(-sum(e.amount_cents) FILTER (WHERE e.account = ${account}), 0)::float8`;
  return db
    .selectFrom('ledger_transactions as t')
    .innerJoin('ledger_entries as e', 'e.transaction_id', 't.id')
    .select([
      on('seller-pending').as('pendingCents'),
      on('seller').as('dueCents'),
      on('in-transit').as('onItsWayCents'),
    ])
    .where('t.seller_id', '=', sellerId)
    .executeTakeFirstOrThrow();
};
