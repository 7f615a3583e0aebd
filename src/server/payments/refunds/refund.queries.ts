import { sql } from 'kysely';
import { REAL_NOW } from '#server/platform/postgres/clock.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';
import type { RefundReason, RefundState } from '#server/payments/payments.table.ts';
import type { RefundToSend } from '#server/payments/provider.ts';

/** A part of a payment that goes back to its buyer. */
export interface Refund extends RefundToSend {
  readonly postageCents: number;
  readonly borneBy: 'shop' | 'seller';
  readonly reason: RefundReason;
  readonly state: RefundState;
  readonly providerId: string | null;
  readonly doneAt: Date | null;
  /** How the operator paid it where the provider could not; null else. */
  readonly byHand: string | null;
  /** The lost dispute by which the buyer's bank paid it; null else. */
  readonly disputeId: string | null;
}

const COLUMNS = [
  'id',
  'payment_id as paymentId',
  'intent_id as intentId',
  'n',
  'amount_cents as amountCents',
  'postage_cents as postageCents',
  'borne_by as borneBy',
  'reason',
  'state',
  'provider_id as providerId',
  'done_at as doneAt',
  'by_hand_reference as byHand',
  'dispute_id as disputeId',
] as const;

export interface NewRefund {
  readonly paymentId: string;
  readonly intentId: string;
  readonly amountCents: number;
  readonly postageCents: number;
  readonly reason: RefundReason;
  readonly borneBy: 'shop' | 'seller';
  readonly requestedBy: string | null;
}

const nextNumber = (intentId: string) =>
  sql<number>`(SELECT coalesce(max(n), 0) + 1 FROM refunds WHERE intent_id = ${intentId})`;

/** Writes a refund down before the provider is asked. The caller has the intent's payments locked. */
export const insertRefund = (trx: Trx, refund: NewRefund): Promise<Refund> =>
  trx
    .insertInto('refunds')
    .values({
      payment_id: refund.paymentId,
      intent_id: refund.intentId,
      n: nextNumber(refund.intentId),
      amount_cents: refund.amountCents,
      postage_cents: refund.postageCents,
      reason: refund.reason,
      borne_by: refund.borneBy,
      requested_by: refund.requestedBy,
      provider_id: null,
      done_at: null,
    })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();

/** All refunds ever asked of a payment, the first first. */
export const listRefundsOf = (db: Db, paymentIds: readonly string[]): Promise<Refund[]> =>
  paymentIds.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom('refunds')
        .select(COLUMNS)
        .where('payment_id', 'in', [...paymentIds])
        .orderBy('n')
        .execute();

export const findRefund = (db: Db, id: string): Promise<Refund | undefined> =>
  db.selectFrom('refunds').select(COLUMNS).where('id', '=', id).executeTakeFirst();

/** Notes what the provider made of a refund. */
export const setRefundState = async (
  trx: Trx,
  id: string,
  { state, providerId, amountCents }: { state: RefundState; providerId: string | null; amountCents: number },
): Promise<void> => {
  await trx
    .updateTable('refunds')
    .set({
      state,
      amount_cents: amountCents,
      done_at: state === 'done' ? sql<Date>`coalesce(done_at, shop_now())` : null,
      pending_at: state === 'pending' ? sql<Date>`coalesce(pending_at, shop_now())` : null,
      ...(providerId !== null && { provider_id: providerId }),
    })
    .where('id', '=', id)
    .execute();
};

/** Notes that the operator paid a refund in another way. */
export const setPaidByHand = (trx: Trx, id: string, reference: string): Promise<Refund> =>
  trx
    .updateTable('refunds')
    .set({ state: 'done', done_at: sql<Date>`shop_now()`, by_hand_reference: reference })
    .where('id', '=', id)
    .where('state', '=', 'failed')
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();

/** Notes that the buyer's bank paid a refund that was not done, by a lost dispute. */
export const setPaidByBank = (trx: Trx, id: string, disputeId: string): Promise<Refund> =>
  trx
    .updateTable('refunds')
    .set({ state: 'done', done_at: sql<Date>`shop_now()`, dispute_id: disputeId })
    .where('id', '=', id)
    .where('state', 'in', ['requested', 'failed'])
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();

/** Begins the refund again that a bank had paid, by the intent's next number. */
export const setOwedAgain = (trx: Trx, { id, intentId }: Refund): Promise<Refund> =>
  trx
    .updateTable('refunds')
    .set({
      state: 'requested',
      done_at: null,
      dispute_id: null,
      asked_at: null,
      provider_id: null,
      n: nextNumber(intentId),
    })
    .where('id', '=', id)
    .where('dispute_id', 'is not', null)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();

/** Begins the next try of a refund that had failed, by the intent's next number. */
export const reopenRefund = (trx: Trx, { id, intentId }: Refund): Promise<Refund> =>
  trx
    .updateTable('refunds')
    .set({ state: 'requested', asked_at: null, provider_id: null, n: nextNumber(intentId) })
    .where('id', '=', id)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();

/**
 * Takes refunds that nobody asked the provider for within `leaseSeconds`, so that of several processes one asks for
 * each.
 */
export const takeOpenRefunds = async (db: Db, leaseSeconds: number, limit: number): Promise<RefundToSend[]> => {
  const { rows } = await sql<RefundToSend>`
    UPDATE refunds AS r SET asked_at = ${REAL_NOW}
    WHERE r.id IN (
      SELECT id FROM refunds
      WHERE state = 'requested' AND (asked_at IS NULL OR asked_at < ${REAL_NOW} - make_interval(secs => ${leaseSeconds}))
      ORDER BY created_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)
    RETURNING r.id, r.payment_id AS "paymentId", r.intent_id AS "intentId", r.n, r.amount_cents AS "amountCents"`.execute(
    db,
  );
  return rows;
};
