import { sql, type SqlBool } from 'kysely';
import type { AdjustmentAccount } from '#contract/money/adjustments.ts';
import type { Position } from '#server/platform/cursor.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';

export interface AdjustmentRow extends Position {
  readonly sellerId: string;
  readonly name: string;
  readonly email: string;
  readonly isGone: boolean;
  readonly cents: number;
  readonly account: AdjustmentAccount;
  readonly reason: string;
  readonly askedById: string;
  readonly askedBy: string;
  readonly askedAt: Date;
  readonly state: 'asked' | 'booked' | 'declined';
  readonly decidedBy: string | null;
}

const adjustments = (db: Db) =>
  db
    .selectFrom('adjustments as a')
    .innerJoin('users as seller', 'seller.id', 'a.seller_id')
    .innerJoin('users as asker', 'asker.id', 'a.asked_by')
    .leftJoin('users as decider', 'decider.id', 'a.decided_by')
    .select([
      'a.id',
      sql<string>`to_char(a.asked_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`.as('at'),
      'a.seller_id as sellerId',
      'seller.name',
      'seller.email',
      sql<boolean>`seller.deleted_at IS NOT NULL`.as('isGone'),
      'a.amount_cents as cents',
      'a.account',
      'a.reason',
      'a.asked_by as askedById',
      'asker.name as askedBy',
      'a.asked_at as askedAt',
      'a.state',
      'decider.name as decidedBy',
    ]);

/** Newest first, after a position; one more than `limit`. */
export const listAdjustmentRows = (
  db: Db,
  { limit, after }: { limit: number; after: Position | undefined },
): Promise<AdjustmentRow[]> =>
  adjustments(db)
    .$if(after !== undefined, (query) =>
      query.where(sql<SqlBool>`(a.asked_at, a.id) < (${after?.at ?? ''}::timestamptz, ${after?.id ?? ''}::uuid)`),
    )
    .orderBy('a.asked_at', 'desc')
    .orderBy('a.id', 'desc')
    .limit(limit + 1)
    .execute();

export const findAdjustment = (db: Db, id: string): Promise<AdjustmentRow | undefined> =>
  adjustments(db).where('a.id', '=', id).executeTakeFirst();

/** Whether this is, or was, a seller: somebody with a role or with money. */
export const isSeller = async (db: Db, userId: string): Promise<boolean> => {
  const { rows } = await sql<{ is: boolean }>`
    SELECT is_seller OR EXISTS (SELECT FROM payout_accounts WHERE seller_id = u.id) AS is
    FROM users u WHERE u.id = ${userId}`.execute(db);
  return rows[0]?.is === true;
};

export const insertAdjustment = async (
  trx: Trx,
  given: { sellerId: string; cents: number; account: AdjustmentAccount; reason: string; askedBy: string },
): Promise<string> => {
  const { id } = await trx
    .insertInto('adjustments')
    .values({
      seller_id: given.sellerId,
      amount_cents: given.cents,
      account: given.account,
      reason: given.reason,
      asked_by: given.askedBy,
      decided_by: null,
      decided_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
};

/** Decides an adjustment that was asked for; false where it was decided before. */
export const decideAdjustment = async (
  trx: Trx,
  id: string,
  decision: { state: 'booked' | 'declined'; by: string },
): Promise<boolean> => {
  const result = await trx
    .updateTable('adjustments')
    .set({ state: decision.state, decided_by: decision.by, decided_at: sql<Date>`shop_now()` })
    .where('id', '=', id)
    .where('state', '=', 'asked')
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
};
