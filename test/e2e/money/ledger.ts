import { sql } from 'kysely';
import type { Db } from '#server/platform/postgres/db.ts';

/** What an order left on each account of the ledger, in cents; accounts that are even are left out. */
export const ledgerOf = async (db: Db, orderId: string): Promise<Record<string, number>> => {
  const rows = await db
    .selectFrom('ledger_transactions as t')
    .innerJoin('ledger_entries as e', 'e.transaction_id', 't.id')
    .select(['e.account', sql<number>`sum(e.amount_cents)::integer`.as('cents')])
    .where('t.order_id', '=', orderId)
    .groupBy('e.account')
    .having(sql`sum(e.amount_cents)`, '<>', 0)
    .execute();
  return Object.fromEntries(rows.map(({ account, cents }) => [account, cents]));
};

/** The provider's id of the intent that paid for a booking. */
export const paymentOf = async (db: Db, bookingId: string): Promise<string> => {
  const { provider_id: intent } = await db
    .selectFrom('payments')
    .select('provider_id')
    .where('booking_id', '=', bookingId)
    .executeTakeFirstOrThrow();
  return intent;
};
