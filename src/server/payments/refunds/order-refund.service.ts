import { findSale, hasDispute } from '#server/payments/intents/payment.queries.ts';
import type { Trx } from '#server/platform/postgres/db.ts';
import { AppError } from '#server/platform/errors.ts';
import { askBack } from './refund-record.service.ts';
import { leftOf, lockMoney, requireUndisputed } from './refund-sums.service.ts';

/** What of a booking's payment nobody has asked back yet, in cents. */
export interface Left {
  readonly priceCents: number;
  readonly postageCents: number;
}

/** What is left of the payments of bookings, all of one order. */
export const leftOfBookings = async (trx: Trx, bookingIds: readonly string[]): Promise<ReadonlyMap<string, Left>> => {
  const [first] = bookingIds;
  const sale = first === undefined ? undefined : await findSale(trx, first);
  if (sale === undefined) return new Map();
  const money = await lockMoney(trx, sale.providerId);
  return new Map(money.payments.map((payment) => [payment.bookingId, leftOf(money.refunds, payment)]));
};

/** Of bookings those of whose payment no bank has taken anything. */
export const listUndisputed = async (trx: Trx, bookingIds: readonly string[]): Promise<string[]> => {
  const undisputed: string[] = [];
  for (const bookingId of bookingIds) {
    const sale = await findSale(trx, bookingId);
    if (sale !== undefined && !(await hasDispute(trx, sale.id))) undisputed.push(bookingId);
  }
  return undisputed;
};

/** A part of a booking's payment that an order gives back. */
export interface GivenBack extends Left {
  readonly bookingId: string;
  /** Who carries the provider's fee, which does not come back. */
  readonly borneBy: 'shop' | 'seller';
}

/**
 * Writes down that parts of an order's payments are their buyer's again; the provider is asked for them afterwards, and
 * nothing is asked twice. 409 where more is wanted than is left, or a bank decides about the payment.
 */
export const giveBack = async (trx: Trx, parts: readonly GivenBack[]): Promise<number> => {
  let cents = 0;
  for (const part of parts) {
    const sale = await findSale(trx, part.bookingId);
    if (sale === undefined) throw new AppError('not_paid', 'This booking is not paid: there is nothing to give back');
    const money = await lockMoney(trx, sale.providerId);
    const payment = money.payments.find(({ id }) => id === sale.id) ?? sale;
    const left = leftOf(money.refunds, payment);
    const { priceCents, postageCents, borneBy } = part;
    if (priceCents > left.priceCents || postageCents > left.postageCents) {
      throw new AppError('refund_refused', 'That is more than is left of the payment');
    }
    if (priceCents + postageCents === 0) continue;
    await requireUndisputed(trx, payment.id);
    await askBack(trx, money, payment, { priceCents, postageCents, reason: 'order', borneBy, requestedBy: null });
    cents += priceCents + postageCents;
  }
  return cents;
};
