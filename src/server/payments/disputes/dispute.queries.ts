import { sql } from 'kysely';
import type { Db, Trx } from '#server/platform/postgres/db.ts';
import type { DisputeState } from '#server/payments/payments.table.ts';

export interface Dispute {
  readonly id: string;
  readonly paymentId: string;
  readonly amountCents: number;
  readonly reason: string;
  readonly state: DisputeState;
  readonly dueBy: Date | null;
  /** The bank has taken no money. */
  readonly isInquiry: boolean;
}

/** Writes a dispute down as open; false when it is known. */
export const insertDispute = async (trx: Trx, dispute: Omit<Dispute, 'state'>): Promise<boolean> => {
  const result = await trx
    .insertInto('disputes')
    .values({
      id: dispute.id,
      payment_id: dispute.paymentId,
      amount_cents: dispute.amountCents,
      reason: dispute.reason,
      state: 'open',
      is_inquiry: dispute.isInquiry,
      due_by: dispute.dueBy,
      closed_at: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
};

/** An inquiry has become a chargeback; false where it was one, or none is known. */
export const escalateInquiry = async (trx: Trx, id: string): Promise<boolean> => {
  const result = await trx
    .updateTable('disputes')
    .set({ is_inquiry: false, state: 'open', closed_at: null })
    .where('id', '=', id)
    .where('is_inquiry', '=', true)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
};

/** Whether a bank looks into any of these payments, or has decided against the shop. */
export const hasUnwonDispute = async (trx: Trx, paymentIds: readonly string[]): Promise<boolean> => {
  const row = await trx
    .selectFrom('disputes')
    .select('id')
    .where('payment_id', 'in', [...paymentIds])
    .where('state', '!=', 'won')
    .executeTakeFirst();
  return row !== undefined;
};

/** Whether the order of a booking has ended; it stays so while the booking is locked. */
export const isOrderOver = async (trx: Trx, orderId: string | null): Promise<boolean> => {
  if (orderId === null) return false;
  const row = await trx
    .selectFrom('orders')
    .select('id')
    .where('id', '=', orderId)
    .where('state', 'in', ['closed', 'cancelled'])
    .executeTakeFirst();
  return row !== undefined;
};

/** Writes down what of a dispute each payment bears. */
export const insertDisputeShares = async (
  trx: Trx,
  disputeId: string,
  shares: readonly { payment: { readonly id: string }; cents: number }[],
): Promise<void> => {
  await trx
    .insertInto('dispute_shares')
    .values(
      shares.map(({ payment, cents }) => ({ dispute_id: disputeId, payment_id: payment.id, amount_cents: cents })),
    )
    .execute();
};

export const listDisputeShares = (trx: Trx, disputeId: string): Promise<{ paymentId: string; cents: number }[]> =>
  trx
    .selectFrom('dispute_shares')
    .select(['payment_id as paymentId', 'amount_cents as cents'])
    .where('dispute_id', '=', disputeId)
    .execute();

/** Notes until when an open dispute may be answered, where that is known now. */
export const setDisputeDue = async (trx: Trx, id: string, dueBy: Date): Promise<void> => {
  await trx
    .updateTable('disputes')
    .set({ due_by: dueBy })
    .where('id', '=', id)
    .where('state', '=', 'open')
    .where('due_by', 'is distinct from', dueBy)
    .execute();
};

/** Notes what the provider has kept for a dispute; answers what was noted before, undefined where that is the same. */
export const setDisputeFee = async (trx: Trx, id: string, cents: number): Promise<number | undefined> => {
  const { rows } = await sql<{ was: number }>`
    UPDATE disputes AS d SET fee_cents = ${cents}
    FROM (SELECT id, fee_cents FROM disputes WHERE id = ${id} FOR UPDATE) AS before
    WHERE d.id = before.id AND before.fee_cents <> ${cents} RETURNING before.fee_cents AS was`.execute(trx);
  return rows[0]?.was;
};

/** Closes an open dispute; false when it was closed before. */
export const closeDispute = async (trx: Trx, id: string, state: 'won' | 'lost'): Promise<boolean> => {
  const result = await trx
    .updateTable('disputes')
    .set({ state, closed_at: sql<Date>`shop_now()` })
    .where('id', '=', id)
    .where('state', '=', 'open')
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
};

/** A dispute that was lost is won on appeal; false when it was not lost. */
export const winAppeal = async (trx: Trx, id: string): Promise<boolean> => {
  const result = await trx
    .updateTable('disputes')
    .set((eb) => ({ state: 'won', lost_at: eb.ref('closed_at'), closed_at: sql<Date>`shop_now()` }))
    .where('id', '=', id)
    .where('state', '=', 'lost')
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
};

/** Whom to tell when money needs a user. */
export const listAdmins = (trx: Trx): Promise<{ id: string; email: string; name: string }[]> =>
  trx
    .selectFrom('users')
    .select(['id', 'email', 'name'])
    .where('is_admin', '=', true)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute();

export interface DisputeRow extends Dispute {
  readonly bookingId: string;
  readonly transactionId: string;
  readonly title: string;
  readonly buyer: string;
  readonly openedAt: Date;
  readonly closedAt: Date | null;
}

/** The newest disputes, the open ones first. */
export const listDisputeRows = (db: Db, limit: number): Promise<DisputeRow[]> =>
  db
    .selectFrom('disputes as d')
    .innerJoin('payments as p', 'p.id', 'd.payment_id')
    .innerJoin('bookings as b', 'b.id', 'p.booking_id')
    .select([
      'd.id',
      'd.payment_id as paymentId',
      'd.amount_cents as amountCents',
      'd.reason',
      'd.state',
      'd.due_by as dueBy',
      'd.is_inquiry as isInquiry',
      'p.provider_id as transactionId',
      'd.opened_at as openedAt',
      'd.closed_at as closedAt',
      'b.id as bookingId',
      'b.title',
      'b.buyer_name as buyer',
    ])
    .orderBy(sql`d.state <> 'open'`)
    .orderBy(sql`CASE WHEN d.state = 'open' THEN d.due_by END`)
    .orderBy('d.opened_at', 'desc')
    .limit(limit)
    .execute();
