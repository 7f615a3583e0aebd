import type { Db } from '#server/platform/postgres/db.ts';
import { readBalances, readOwed } from './ledger.queries.ts';
import type { Account } from './ledger.table.ts';

export type { SaleTerms } from '#contract/money/shares.ts';
export type { Account } from './ledger.table.ts';
export { readAccounts as accountsOf } from './statement.queries.ts';
export { listDueOrders, lockSeller, readDue, type OrderDue } from './ledger.queries.ts';
export type { Paid } from './post.ts';

/** What a seller is owed, due, pending and on its way, in cents; below zero where it is they who owe. */
export const owedTo = (db: Db, sellerId: string): Promise<number> => readOwed(db, sellerId);

/** What is on each account, in cents. */
export const listBalances = (db: Db): Promise<{ account: Account; cents: number }[]> => readBalances(db);
