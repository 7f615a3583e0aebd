import { sql, type SqlBool } from 'kysely';
import type { Position } from '#server/platform/cursor.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { forgetDetails } from './by-hand/details.queries.ts';

const isoOf = (column: string) =>
  sql<string>`to_char(${sql.ref(column)} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

/** A seller's payouts, newest first, after a position. */
export const listPayoutRows = (db: Db, sellerId: string, page: { limit: number; after: Position | undefined }) =>
  db
    .selectFrom('payouts as p')
    .select([
      'p.id',
      'p.order_id as orderId',
      sql<string>`coalesce((SELECT string_agg(b.title, ', ' ORDER BY b.id) FROM bookings b WHERE b.order_id = p.order_id), '')`.as(
        'title',
      ),
      'p.amount_cents as cents',
      'p.reversed_cents as reversedCents',
      'p.state',
      'p.way',
      'p.refusal_words as refusal',
      isoOf('p.created_at').as('at'),
    ])
    .where('p.seller_id', '=', sellerId)
    .$if(page.after !== undefined, (query) =>
      query.where(
        sql<SqlBool>`(p.created_at, p.id) < (${page.after?.at ?? ''}::timestamptz, ${page.after?.id ?? ''}::uuid)`,
      ),
    )
    .orderBy('p.created_at', 'desc')
    .orderBy('p.id', 'desc')
    .limit(page.limit)
    .execute();

/** What the shop knows of where a seller is paid, of what went to their bank and was corrected, as they may have it. */
export const payoutAccountToExport = async (db: Db, sellerId: string): Promise<object> => {
  const account = await db
    .selectFrom('payout_accounts')
    .select(['account_id', 'country', 'status', 'requirements', 'waiting_since', 'created_at'])
    .where('seller_id', '=', sellerId)
    .executeTakeFirst();
  const bank = await db
    .selectFrom('bank_payouts')
    .select(['id', sql<number>`amount_cents / 100.0::float8`.as('amount'), 'status', 'arrives_at', 'failure'])
    .where('seller_id', '=', sellerId)
    .orderBy('arrives_at', 'desc')
    .execute();
  const details = await db
    .selectFrom('payout_details')
    .select(['kind', 'country', 'account_type', 'shown as account', 'entered_at', 'paused_until', 'locked'])
    .where('seller_id', '=', sellerId)
    .executeTakeFirst();
  const corrections = await db
    .selectFrom('adjustments')
    .select([sql<number>`amount_cents / 100.0::float8`.as('amount'), 'reason', 'asked_at', 'state', 'decided_at'])
    .where('seller_id', '=', sellerId)
    .orderBy('asked_at', 'desc')
    .execute();
  return { account: account ?? null, to_the_bank: bank, bank_details: details ?? null, corrections };
};

/**
 * Forgets what the provider asked of somebody who left, and their bank details; what was paid to them stays in the
 * books. Answers whether nothing is left to forget: copies of details in batches stay for `days`.
 */
export const forgetPayee = async (db: Db, sellerId: string, days: number): Promise<boolean> => {
  await sql`UPDATE payout_accounts SET requirements = '[]', country = NULL WHERE seller_id = ${sellerId}`.execute(db);
  await db.updateTable('bank_payouts').set({ failure: null }).where('seller_id', '=', sellerId).execute();
  return forgetDetails(db, sellerId, days);
};
