import { sql } from 'kysely';
import type { Db, Trx } from '#server/platform/postgres/db.ts';

export interface Payment {
  readonly id: string;
  readonly bookingId: string;
  readonly providerId: string;
  readonly amountCents: number;
  readonly refundedCents: number;
  /** `returned`: it came for a copy that was lost. */
  readonly outcome: 'sale' | 'returned';
}

const COLUMNS = [
  'id',
  'booking_id as bookingId',
  'provider_id as providerId',
  'amount_cents as amountCents',
  'refunded_cents as refundedCents',
  'outcome',
] as const;

/** The payment that paid for a booking; at most one by a unique index. */
export const findSale = (db: Db, bookingId: string): Promise<Payment | undefined> =>
  db
    .selectFrom('payments')
    .select(COLUMNS)
    .where('booking_id', '=', bookingId)
    .where('outcome', '=', 'sale')
    .executeTakeFirst();

/** The payment of an intent, by the provider's id; at most one by a unique constraint. */
export const findPaymentOf = (db: Db, providerId: string): Promise<Payment | undefined> =>
  db.selectFrom('payments').select(COLUMNS).where('provider_id', '=', providerId).executeTakeFirst();

export const findPayment = (db: Db, id: string): Promise<Payment | undefined> =>
  db.selectFrom('payments').select(COLUMNS).where('id', '=', id).executeTakeFirst();

export const insertPayment = async (
  trx: Trx,
  payment: Omit<Payment, 'id' | 'refundedCents'> & { currency: string },
): Promise<string> => {
  const row = await trx
    .insertInto('payments')
    .values({
      booking_id: payment.bookingId,
      provider_id: payment.providerId,
      amount_cents: payment.amountCents,
      currency: payment.currency,
      outcome: payment.outcome,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
};

export const setRefundedCents = async (trx: Trx, id: string, refundedCents: number): Promise<void> => {
  await trx.updateTable('payments').set({ refunded_cents: refundedCents }).where('id', '=', id).execute();
};

export interface NewRefund {
  readonly paymentId: string;
  readonly reason: 'admin' | 'lost-copy' | 'provider';
  readonly requestedBy: string | null;
}

export interface Refund {
  readonly paymentId: string;
  /** Which try this is: the next begins only after the provider refused the last. */
  readonly n: number;
  readonly state: 'requested' | 'done' | 'failed';
  readonly doneAt: Date | null;
}

/** Writes a refund down before the provider is asked; false when there is one for the payment. */
export const insertRefund = async (trx: Trx, refund: NewRefund): Promise<boolean> => {
  const result = await trx
    .insertInto('refunds')
    .values({
      payment_id: refund.paymentId,
      reason: refund.reason,
      requested_by: refund.requestedBy,
      provider_id: null,
      done_at: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
};

export const findRefund = (db: Db, paymentId: string): Promise<Refund | undefined> =>
  db
    .selectFrom('refunds')
    .select(['payment_id as paymentId', 'n', 'state', 'done_at as doneAt'])
    .where('payment_id', '=', paymentId)
    .executeTakeFirst();

/** Notes the provider's id of a refund that it made. */
export const saveRefundId = async (trx: Trx, paymentId: string, providerId: string): Promise<void> => {
  if (providerId === '') return;
  await trx
    .updateTable('refunds')
    .set({ provider_id: providerId })
    .where('payment_id', '=', paymentId)
    .where('provider_id', 'is', null)
    .execute();
};

export const markRefundDone = async (trx: Trx, paymentId: string): Promise<void> => {
  await trx
    .updateTable('refunds')
    .set({ state: 'done', done_at: sql<Date>`now()` })
    .where('payment_id', '=', paymentId)
    .where('state', '!=', 'done')
    .execute();
};

export const markRefundFailed = async (trx: Trx, paymentId: string): Promise<void> => {
  await trx
    .updateTable('refunds')
    .set({ state: 'failed', done_at: null })
    .where('payment_id', '=', paymentId)
    .execute();
};

/** Begins the next try of a refund that had failed; answers its number, or undefined where none had. */
export const reopenRefund = async (trx: Trx, paymentId: string): Promise<number | undefined> => {
  const row = await trx
    .updateTable('refunds')
    .set((eb) => ({ state: 'requested', asked_at: null, n: eb('n', '+', 1) }))
    .where('payment_id', '=', paymentId)
    .where('state', '=', 'failed')
    .returning('n')
    .executeTakeFirst();
  return row?.n;
};

/** What the provider is asked: to give the money of an intent back, by the n-th try. */
export interface RefundToSend {
  readonly intentId: string;
  readonly n: number;
}

/**
 * Takes refunds that nobody asked the provider for within `leaseSeconds`, so that of several processes one asks for
 * each.
 */
export const takeOpenRefunds = async (db: Db, leaseSeconds: number, limit: number): Promise<RefundToSend[]> => {
  const { rows } = await sql<RefundToSend>`
    UPDATE refunds AS r SET asked_at = now() FROM payments AS p
    WHERE p.id = r.payment_id AND r.payment_id IN (
      SELECT payment_id FROM refunds
      WHERE state = 'requested' AND (asked_at IS NULL OR asked_at < now() - make_interval(secs => ${leaseSeconds}))
      ORDER BY created_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)
    RETURNING p.provider_id AS "intentId", r.n`.execute(db);
  return rows;
};

/** Whether a payment is disputed, or was and lost. */
export const hasDispute = async (trx: Trx, paymentId: string): Promise<boolean> => {
  const row = await trx
    .selectFrom('disputes')
    .select('id')
    .where('payment_id', '=', paymentId)
    .where('state', '!=', 'won')
    .executeTakeFirst();
  return row !== undefined;
};
