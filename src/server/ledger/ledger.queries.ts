import { sql } from 'kysely';
import type { Db, Trx } from '#server/platform/postgres/db.ts';
import { prepared, query } from '#server/platform/postgres/query.ts';
import type { Account, PostingKind } from './ledger.table.ts';

export interface Posting {
  readonly kind: PostingKind;
  /** What it happened to; a second posting of the same kind and reference is none. */
  readonly reference: string;
  /** Null where no single booking is concerned. */
  readonly bookingId: string | null;
  /** Null where no order is concerned. */
  readonly orderId: string | null;
  readonly sellerId: string | null;
}

/** Accounts that say whom they are owed to. */
const OWED: ReadonlySet<Account> = new Set<Account>(['seller', 'seller-pending', 'in-transit']);

/**
 * Nobody else posts to what a seller is due until this transaction ends: ids of postings follow their order then. Taken
 * after bookings, order and payments.
 */
export const lockSeller = async (trx: Trx, sellerId: string): Promise<void> => {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended('due ' || ${sellerId}, 0))`.execute(trx);
};

const INSERT_POSTING = prepared(
  'insert_posting',
  `WITH made AS (
    INSERT INTO ledger_transactions (kind, reference, booking_id, order_id, seller_id) VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT DO NOTHING RETURNING id)
  INSERT INTO ledger_entries (transaction_id, account, seller_id, amount_cents)
  SELECT made.id, e.* FROM made, unnest($6::text[], $7::uuid[], $8::integer[]) AS e
  RETURNING transaction_id`,
);

/** Writes a posting and its entries, in one statement; false when it was posted before. */
export const insertPosting = async (
  trx: Trx,
  posting: Posting,
  entries: readonly (readonly [account: Account, amountCents: number])[],
): Promise<boolean> => {
  const { kind, reference, bookingId, orderId, sellerId } = posting;
  const owed = entries.map(([account]) => (OWED.has(account) ? sellerId : null));
  const accounts = entries.map(([account]) => account);
  const amounts = entries.map(([, amountCents]) => amountCents);
  const values = [kind, reference, bookingId, orderId, sellerId, accounts, owed, amounts];
  return (await query(trx, INSERT_POSTING, values)).length > 0;
};

/** What a posting put on each account, in cents; empty when there is no such posting. */
export const readPosting = async (
  db: Db,
  kind: PostingKind,
  reference: string,
): Promise<{ sellerId: string | null; amounts: Partial<Record<Account, number>> } | undefined> => {
  const rows = await db
    .selectFrom('ledger_transactions as t')
    .innerJoin('ledger_entries as e', 'e.transaction_id', 't.id')
    .select(['t.seller_id as sellerId', 'e.account', 'e.amount_cents as amountCents'])
    .where('t.kind', '=', kind)
    .where('t.reference', '=', reference)
    .execute();
  const [first] = rows;
  if (first === undefined) return undefined;
  return {
    sellerId: first.sellerId,
    amounts: Object.fromEntries(rows.map(({ account, amountCents }) => [account, amountCents])),
  };
};

/** What the seller of an order is owed once it is closed, in cents; never below zero. */
export const readPending = async (trx: Trx, orderId: string): Promise<number> => {
  const row = await trx
    .selectFrom('ledger_transactions as t')
    .innerJoin('ledger_entries as e', 'e.transaction_id', 't.id')
    .select(sql<number>`coalesce(-sum(e.amount_cents), 0)::float8`.as('cents'))
    .where('t.order_id', '=', orderId)
    .where('e.account', '=', 'seller-pending')
    .executeTakeFirstOrThrow();
  return row.cents;
};

/** What a seller is owed, due, pending and on its way, in cents; below zero where it is they who owe. */
export const readOwed = async (db: Db, sellerId: string): Promise<number> => {
  const row = await db
    .selectFrom('ledger_transactions as t')
    .innerJoin('ledger_entries as e', 'e.transaction_id', 't.id')
    .select(sql<number>`coalesce(-sum(e.amount_cents), 0)::float8`.as('cents'))
    .where('t.seller_id', '=', sellerId)
    .where('e.seller_id', '=', sellerId)
    .executeTakeFirstOrThrow();
  return row.cents;
};

/** What a seller is due now, in cents; below zero where it is they who owe. */
export const readDue = async (trx: Trx, sellerId: string): Promise<number> => {
  const row = await trx
    .selectFrom('ledger_entries')
    .select(sql<number>`coalesce(-sum(amount_cents), 0)::float8`.as('cents'))
    .where('account', '=', 'seller')
    .where('seller_id', '=', sellerId)
    .executeTakeFirstOrThrow();
  return row.cents;
};

/** What a seller is due of an order. */
export interface OrderDue {
  /** Null for what belongs to no order. */
  readonly orderId: string | null;
  /** One of its bookings. */
  readonly bookingId: string | null;
  /** Below zero where they owe. */
  readonly cents: number;
}

/** What a seller is due of each order, the oldest first; those that are even are left out. */
export const listDueOrders = async (trx: Trx, sellerId: string): Promise<OrderDue[]> => {
  // What was posted before there were orders names none; its booking does.
  const { rows } = await sql<OrderDue>`
    SELECT coalesce(t.order_id, b.order_id) AS "orderId", min(t.booking_id::text) AS "bookingId",
      -sum(e.amount_cents)::float8 AS cents
    FROM ledger_entries e JOIN ledger_transactions t ON t.id = e.transaction_id LEFT JOIN bookings b ON b.id = t.booking_id
    WHERE e.account = 'seller' AND e.seller_id = ${sellerId}
    GROUP BY 1 HAVING sum(e.amount_cents) <> 0 ORDER BY min(t.id)`.execute(trx);
  return rows;
};

/** What is on each account, in cents; all of them together are zero. */
export const readBalances = (db: Db): Promise<{ account: Account; cents: number }[]> =>
  db
    .selectFrom('ledger_entries')
    .select(['account', sql<number>`sum(amount_cents)::float8`.as('cents')])
    .groupBy('account')
    .orderBy('account')
    .execute();
