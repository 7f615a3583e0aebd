import type { Db, Trx } from '#server/platform/postgres/db.ts';

export interface Payment {
  readonly id: string;
  readonly bookingId: string;
  /** The intent, which several bookings may share. */
  readonly providerId: string;
  /** Price and postage. */
  readonly amountCents: number;
  readonly postageCents: number;
  /** What the provider keeps of the price and of the postage, and the shop of the price. */
  readonly feeCents: number;
  readonly postageFeeCents: number;
  readonly commissionCents: number;
  readonly refundedCents: number;
  /** `returned`: it came for a copy that was lost. */
  readonly outcome: 'sale' | 'returned';
}

const COLUMNS = [
  'id',
  'booking_id as bookingId',
  'provider_id as providerId',
  'amount_cents as amountCents',
  'postage_cents as postageCents',
  'fee_cents as feeCents',
  'postage_fee_cents as postageFeeCents',
  'commission_cents as commissionCents',
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

/** The payments of an intent, one a booking, by the provider's id. */
export const findPaymentsOf = (db: Db, providerId: string): Promise<Payment[]> =>
  db.selectFrom('payments').select(COLUMNS).where('provider_id', '=', providerId).orderBy('booking_id').execute();

/** The payments of an intent, locked until the transaction ends: whoever gives of it back locks all of them. */
export const lockPaymentsOf = (trx: Trx, providerId: string): Promise<Payment[]> =>
  trx
    .selectFrom('payments')
    .select(COLUMNS)
    .where('provider_id', '=', providerId)
    .orderBy('booking_id')
    .forUpdate()
    .execute();

export const findPayment = (db: Db, id: string): Promise<Payment | undefined> =>
  db.selectFrom('payments').select(COLUMNS).where('id', '=', id).executeTakeFirst();

/** Writes down what an intent paid for, a row a booking. */
export const insertPayments = (
  trx: Trx,
  payments: readonly (Omit<Payment, 'id' | 'refundedCents'> & { readonly currency: string })[],
): Promise<Payment[]> =>
  trx
    .insertInto('payments')
    .values(
      payments.map((payment) => ({
        booking_id: payment.bookingId,
        provider_id: payment.providerId,
        amount_cents: payment.amountCents,
        postage_cents: payment.postageCents,
        fee_cents: payment.feeCents,
        postage_fee_cents: payment.postageFeeCents,
        commission_cents: payment.commissionCents,
        currency: payment.currency,
        outcome: payment.outcome,
      })),
    )
    .returning(COLUMNS)
    .execute();

/** Notes how much of a payment was given back by now; it grows only. */
export const setRefundedCents = async (trx: Trx, id: string, refundedCents: number): Promise<void> => {
  await trx.updateTable('payments').set({ refunded_cents: refundedCents }).where('id', '=', id).execute();
};

/** Whether a payment is disputed, or was and lost. */
export const hasDispute = async (trx: Trx, paymentId: string): Promise<boolean> => {
  const row = await trx
    .selectFrom('dispute_shares as s')
    .innerJoin('disputes as d', 'd.id', 's.dispute_id')
    .select('d.id')
    .where('s.payment_id', '=', paymentId)
    .where('d.state', '!=', 'won')
    .executeTakeFirst();
  return row !== undefined;
};
