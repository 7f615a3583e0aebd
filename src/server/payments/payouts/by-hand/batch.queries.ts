import { sql } from 'kysely';
import type { BankAccountKind } from '#contract/money/bank-details.ts';
import type { PayoutState } from '#server/payments/payouts/payouts.table.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';
import type { Filed } from './by-hand.table.ts';

export interface BatchRow {
  readonly id: string;
  readonly n: number;
  readonly madeAt: Date;
  readonly madeById: string;
  readonly madeBy: string;
  readonly secondReason: string | null;
  readonly approvedById: string | null;
  readonly approvedBy: string | null;
  readonly filed: Filed | null;
  readonly cents: number;
  readonly count: number;
  readonly open: number;
  /** Of those that are, or could still be, in its file: US accounts. */
  readonly americans: number;
  readonly inFile: number;
  /** Sellers whom it pays, and who so entered the details themselves. */
  readonly paysViewer: boolean;
}

const batches = (db: Db, viewerId: string) =>
  db
    .selectFrom('payout_batches as b')
    .innerJoin('users as maker', 'maker.id', 'b.made_by')
    .leftJoin('users as approver', 'approver.id', 'b.approved_by')
    .innerJoin('hand_payouts as h', 'h.batch_id', 'b.id')
    .innerJoin('payouts as p', 'p.id', 'h.payout_id')
    .select([
      'b.id',
      'b.n',
      'b.made_at as madeAt',
      'b.made_by as madeById',
      'maker.name as madeBy',
      'b.second_reason as secondReason',
      'b.approved_by as approvedById',
      'approver.name as approvedBy',
      sql<Filed | null>`b.filed`.as('filed'),
      sql<number>`sum(p.amount_cents)::float8`.as('cents'),
      sql<number>`count(*)::integer`.as('count'),
      sql<number>`(count(*) FILTER (WHERE p.state = 'asked'))::integer`.as('open'),
      sql<number>`(count(*) FILTER (WHERE CASE WHEN b.filed IS NULL THEN p.state = 'asked' ELSE h.line IS NOT NULL END
        AND h.kind = 'us'))::integer`.as('americans'),
      sql<number>`(count(*) FILTER (WHERE CASE WHEN b.filed IS NULL THEN p.state = 'asked' ELSE h.line IS NOT NULL END))::integer`.as(
        'inFile',
      ),
      sql<boolean>`bool_or(p.seller_id = ${viewerId})`.as('paysViewer'),
    ])
    .groupBy(['b.id', 'maker.name', 'approver.name']);

/** The newest batches, those of which something is open first. */
export const listBatches = (db: Db, viewerId: string, limit: number): Promise<BatchRow[]> =>
  batches(db, viewerId)
    .orderBy(sql`count(*) FILTER (WHERE p.state = 'asked') = 0`)
    .orderBy('b.n', 'desc')
    .limit(limit)
    .execute();

export const findBatch = (db: Db, id: string, viewerId: string): Promise<BatchRow | undefined> =>
  batches(db, viewerId).where('b.id', '=', id).executeTakeFirst();

/** Nobody else approves it or makes its file first until this transaction ends; false where there is none. */
export const lockBatch = async (trx: Trx, id: string): Promise<boolean> => {
  const row = await trx.selectFrom('payout_batches').select('id').where('id', '=', id).forUpdate().executeTakeFirst();
  return row !== undefined;
};

export const insertBatch = async (
  trx: Trx,
  batch: { madeBy: string; secondReason: string | null },
): Promise<{ id: string; n: number }> =>
  trx
    .insertInto('payout_batches')
    .values({
      made_by: batch.madeBy,
      second_reason: batch.secondReason,
      approved_by: null,
      approved_at: null,
      filed: null,
    })
    .returning(['id', 'n'])
    .executeTakeFirstOrThrow();

export const approve = async (trx: Trx, id: string, adminId: string): Promise<void> => {
  await trx
    .updateTable('payout_batches')
    .set({ approved_by: adminId, approved_at: sql<Date>`shop_now()` })
    .where('id', '=', id)
    .where('approved_by', 'is', null)
    .execute();
};

/** What is under way now gets its place in the batch's file, and with it what else the file says: for good. */
export const fileBatch = async (trx: Trx, id: string, filed: Filed): Promise<void> => {
  await sql`
    UPDATE hand_payouts h SET line = numbered.line FROM (
      SELECT h.payout_id, row_number() OVER (ORDER BY p.seller_id) AS line
      FROM hand_payouts h JOIN payouts p ON p.id = h.payout_id WHERE h.batch_id = ${id} AND p.state = 'asked') AS numbered
    WHERE h.payout_id = numbered.payout_id`.execute(trx);
  await sql`UPDATE payout_batches SET filed = ${JSON.stringify(filed)}::jsonb WHERE id = ${id} AND filed IS NULL`.execute(
    trx,
  );
};

/** A payout by hand with what it goes to. */
export interface HandPayoutRow {
  readonly id: string;
  readonly batchId: string;
  readonly sellerId: string;
  readonly name: string;
  readonly email: string;
  readonly isGone: boolean;
  readonly cents: number;
  readonly state: PayoutState;
  readonly line: number | null;
  readonly kind: BankAccountKind;
  readonly country: string;
  readonly shown: string;
  readonly version: number;
  readonly keyId: string;
  readonly sealed: Buffer | null;
  readonly secondReason: string | null;
  readonly reference: string | null;
  readonly settledOn: string | null;
  readonly reason: string | null;
  /** By the shop's clock. */
  readonly madeAt: Date;
  /** A second admin has to approve its batch, and none has. */
  readonly isUnapproved: boolean;
}

const handPayouts = (db: Db) =>
  db
    .selectFrom('hand_payouts as h')
    .innerJoin('payouts as p', 'p.id', 'h.payout_id')
    .innerJoin('payout_batches as b', 'b.id', 'h.batch_id')
    .innerJoin('users as u', 'u.id', 'p.seller_id')
    .select([
      'p.id',
      'h.batch_id as batchId',
      'p.seller_id as sellerId',
      'u.name',
      'u.email',
      sql<boolean>`u.deleted_at IS NOT NULL`.as('isGone'),
      'p.amount_cents as cents',
      'p.state',
      'h.line',
      'h.kind',
      'h.country',
      'h.shown',
      'h.details_version as version',
      'h.key_id as keyId',
      'h.sealed',
      'h.second_reason as secondReason',
      'h.reference',
      sql<string | null>`h.settled_on::text`.as('settledOn'),
      'p.refusal_words as reason',
      'b.made_at as madeAt',
      sql<boolean>`b.second_reason IS NOT NULL AND b.approved_by IS NULL`.as('isUnapproved'),
    ]);

export const listHandPayouts = (db: Db, batchId: string): Promise<HandPayoutRow[]> =>
  handPayouts(db).where('h.batch_id', '=', batchId).orderBy('u.name').orderBy('p.id').execute();

/** What is in the file of a batch, in its order. */
export const listFiled = (db: Db, batchId: string): Promise<HandPayoutRow[]> =>
  handPayouts(db).where('h.batch_id', '=', batchId).where('h.line', 'is not', null).orderBy('h.line').execute();

export const findHandPayout = (db: Db, id: string): Promise<HandPayoutRow | undefined> =>
  handPayouts(db).where('p.id', '=', id).executeTakeFirst();
