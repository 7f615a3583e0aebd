import { sql } from 'kysely';
import { REAL_NOW } from '#server/platform/postgres/clock.ts';
import type { Db } from '#server/platform/postgres/db.ts';

export type DifferenceKind =
  | 'lost-copy'
  | 'unknown-intent'
  | 'other-amount'
  | 'missed-payment'
  | 'missed-refund'
  | 'missed-dispute'
  | 'partial-refund'
  | 'refund-refused'
  | 'refund-failed'
  | 'refund-pending'
  | 'payment-without-intent'
  | 'unknown-transfer'
  | 'missed-transfer'
  | 'other-transfer'
  | 'missed-reversal'
  | 'transfer-refused'
  | 'account-restricted'
  | 'account-below-zero'
  | 'short-of-money'
  | 'bank-payout-failed'
  | 'payout-unmarked'
  | 'unclaimed-money';

/** Something that does not add up between our books and the provider's. */
export interface Difference {
  readonly kind: DifferenceKind;
  /** The provider's id of what it is about. */
  readonly subject: string;
  readonly says: string;
  /** True when it was put right where it was found. */
  readonly mended: boolean;
}

/** Writes a difference down, or that it was found again; answers whether it is new. */
export const noteDifference = async (db: Db, difference: Difference): Promise<boolean> => {
  const { rows } = await sql<{ times: number }>`
    INSERT INTO money_differences AS d (kind, subject, says, mended_at)
    VALUES (${difference.kind}, ${difference.subject}, ${difference.says}, ${difference.mended ? REAL_NOW : sql`NULL`})
    ON CONFLICT (kind, subject) DO UPDATE SET times = d.times + 1, last_found_at = ${REAL_NOW}, says = excluded.says,
      mended_at = excluded.mended_at
    RETURNING times`.execute(db);
  return rows[0]?.times === 1;
};

/** What was noted about something is over. */
export const mendDifferences = async (db: Db, subject: string, kinds: readonly DifferenceKind[]): Promise<void> => {
  await db
    .updateTable('money_differences')
    .set({ mended_at: REAL_NOW })
    .where('subject', '=', subject)
    .where('kind', 'in', [...kinds])
    .where('mended_at', 'is', null)
    .execute();
};

export interface DifferenceRow {
  readonly id: string;
  readonly kind: string;
  readonly subject: string;
  readonly says: string;
  readonly times: number;
  readonly foundAt: Date;
  readonly mendedAt: Date | null;
}

/** The newest differences, those that still stand first. */
export const listDifferenceRows = (db: Db, limit: number): Promise<DifferenceRow[]> =>
  db
    .selectFrom('money_differences')
    .select(['id', 'kind', 'subject', 'says', 'times', 'found_at as foundAt', 'mended_at as mendedAt'])
    .orderBy(sql`mended_at IS NOT NULL`)
    .orderBy('found_at', 'desc')
    .limit(limit)
    .execute();
