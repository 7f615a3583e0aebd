import { sql } from 'kysely';
import type { Db, Trx } from '#server/platform/postgres/db.ts';
import type { BankPayoutFacts } from '#server/payments/connect/connect.ts';

/** Notes what became of money on its way to a seller's bank; answers what was known of it before. */
export const saveBankPayout = async (
  trx: Trx,
  sellerId: string,
  facts: BankPayoutFacts,
): Promise<BankPayoutFacts['status'] | undefined> => {
  const { rows } = await sql<{ was: BankPayoutFacts['status'] | null }>`
    WITH was AS (SELECT status FROM bank_payouts WHERE id = ${facts.id})
    INSERT INTO bank_payouts (id, seller_id, amount_cents, status, arrives_at, failure)
    VALUES (${facts.id}, ${sellerId}, ${facts.amountCents}, ${facts.status}, ${facts.arrivesAt},
      ${facts.failure === '' ? null : facts.failure.slice(0, 500)})
    ON CONFLICT (id) DO UPDATE SET status = excluded.status, arrives_at = excluded.arrives_at, failure = excluded.failure
    RETURNING (SELECT status FROM was) AS was`.execute(trx);
  return rows[0]?.was ?? undefined;
};

export interface BankPayoutRow {
  readonly id: string;
  readonly cents: number;
  readonly status: BankPayoutFacts['status'];
  readonly arrivesAt: Date | null;
  readonly failure: string | null;
}

/** What went to a seller's bank, the newest first. */
export const listBankPayoutRows = (db: Db, sellerId: string, limit: number): Promise<BankPayoutRow[]> =>
  db
    .selectFrom('bank_payouts')
    .select(['id', 'amount_cents as cents', 'status', 'arrives_at as arrivesAt', 'failure'])
    .where('seller_id', '=', sellerId)
    .orderBy('arrives_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute();
