import { lockBookings } from '#server/bookings/booking.service.ts';
import type { Trx } from '#server/platform/postgres/db.ts';
import { AppError } from '#server/platform/errors.ts';
import { findPaymentsOf, hasDispute, lockPaymentsOf, type Payment } from '#server/payments/intents/payment.queries.ts';
import { listRefundsOf, type Refund } from './refund.queries.ts';

/** The payments of an intent and all refunds ever asked of them, nobody else changing either. */
export interface LockedMoney {
  readonly payments: readonly Payment[];
  readonly refunds: Refund[];
}

/** Locks the bookings of an intent in the order of their ids, then its payments. */
export const lockMoney = async (trx: Trx, intentId: string): Promise<LockedMoney> => {
  const named = await findPaymentsOf(trx, intentId);
  await lockBookings(
    trx,
    named.map(({ bookingId }) => bookingId),
  );
  const payments = await lockPaymentsOf(trx, intentId);
  const refunds = await listRefundsOf(
    trx,
    payments.map(({ id }) => id),
  );
  return { payments, refunds };
};

/** Cents of a payment's price and of its postage. */
export interface Cents {
  readonly priceCents: number;
  readonly postageCents: number;
}

/** 409 where a bank decides about a payment, or has decided against the shop. */
export const requireUndisputed = async (trx: Trx, paymentId: string): Promise<void> => {
  if (!(await hasDispute(trx, paymentId))) return;
  throw new AppError(
    'disputed',
    'The buyer’s bank is deciding about this payment, or has decided: it cannot be refunded',
  );
};

/** A refund of before parts is all of its payment. */
export const amountOf = (refund: Refund, payment: Payment): Cents =>
  refund.amountCents === null
    ? { priceCents: payment.amountCents - payment.postageCents, postageCents: payment.postageCents }
    : { priceCents: refund.amountCents - refund.postageCents, postageCents: refund.postageCents };

/** What all refunds of a payment but one, done or not, give back. */
export const askedOf = (refunds: readonly Refund[], payment: Payment, except?: string): Cents => {
  let [priceCents, postageCents] = [0, 0];
  for (const refund of refunds) {
    if (refund.paymentId !== payment.id || refund.id === except) continue;
    const amount = amountOf(refund, payment);
    priceCents += amount.priceCents;
    postageCents += amount.postageCents;
  }
  return { priceCents, postageCents };
};

/** What of a payment nobody has asked back yet. */
export const leftOf = (refunds: readonly Refund[], payment: Payment): Cents => {
  const asked = askedOf(refunds, payment);
  return {
    priceCents: payment.amountCents - payment.postageCents - asked.priceCents,
    postageCents: payment.postageCents - asked.postageCents,
  };
};

/** Puts what became of a refund in the place of what it was. */
export const replace = (money: LockedMoney, refund: Refund): void => {
  const at = money.refunds.findIndex(({ id }) => id === refund.id);
  money.refunds[at] = refund;
};

/** The order whose page a mail leads to; none where the money bought nothing. */
export const ofOrder = ({ outcome }: Payment, orderId: string | null): { orderId?: string } =>
  outcome === 'sale' && orderId !== null ? { orderId } : {};
