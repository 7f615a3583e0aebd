import { lockBooking, markRefunded, mayBecome, readTidings } from '#server/bookings/booking.service.ts';
import { postRefund } from '#server/ledger/ledger.service.ts';
import { queueMail } from '#server/mail/outbox.service.ts';
import type { Trx } from '#server/platform/postgres/db.ts';
import { noteDifference } from '#server/payments/reconciliation/difference.queries.ts';
import {
  findPaymentOf,
  insertRefund,
  markRefundDone,
  markRefundFailed,
  setRefundedCents,
} from '#server/payments/intents/payment.queries.ts';

/**
 * Takes down what the provider has given back of a payment in all, however often and by whomever it was asked for: in
 * the ledger by what is new of it; when it is the whole, the booking is refunded and its buyer told. Harmless when
 * known.
 */
export const recordGivenBack = async (
  trx: Trx,
  given: { intentId: string; refundedCents: number },
): Promise<'nothing' | 'part' | 'all'> => {
  const named = await findPaymentOf(trx, given.intentId);
  const booking = named && (await lockBooking(trx, named.bookingId));
  if (booking === undefined) return 'nothing';
  // Read again under the lock: somebody else may have taken the same down a moment ago.
  const payment = await findPaymentOf(trx, given.intentId);
  if (payment === undefined || given.refundedCents <= payment.refundedCents) return 'nothing';
  const { refundedCents } = given;
  const isAll = refundedCents >= payment.amountCents;
  const { sellerId, title, buyer } = await readTidings(trx, booking.id);
  await setRefundedCents(trx, payment.id, refundedCents);
  const paid = { paymentId: payment.id, bookingId: booking.id, sellerId, amountCents: payment.amountCents };
  await postRefund(trx, paid, { cents: refundedCents - payment.refundedCents, refundedCents });
  if (!isAll) {
    const says = `A part of the payment for “${title}” was given back at the provider. The sale stands; the shop carries the part.`;
    await noteDifference(trx, { kind: 'partial-refund', subject: payment.providerId, says, mended: false });
    return 'part';
  }
  await insertRefund(trx, { paymentId: payment.id, reason: 'provider', requestedBy: null });
  await markRefundDone(trx, payment.id);
  if (payment.outcome === 'sale' && mayBecome(booking, 'refunded')) {
    await markRefunded(trx, booking.id);
    if (buyer === undefined) return 'all';
    await queueMail(trx, {
      kind: 'refunded',
      key: `refunded:${booking.id}`,
      to: buyer,
      data: { title, priceCents: payment.amountCents, bookingId: booking.id },
    });
  }
  return 'all';
};

/**
 * The provider will not, or could not, give a payment back: whatever it said before, the money is the shop's, and a
 * user must see to it that it reaches the buyer.
 */
export const recordNotGivenBack = async (
  trx: Trx,
  refund: { intentId: string; kind: 'refund-refused' | 'refund-failed'; says: string },
): Promise<void> => {
  const payment = await findPaymentOf(trx, refund.intentId);
  if (payment === undefined) return;
  await markRefundFailed(trx, payment.id);
  await noteDifference(trx, { kind: refund.kind, subject: refund.intentId, says: refund.says, mended: false });
};

export const REFUND_FAILED_SAYS =
  'A refund failed at the buyer’s bank. The money is the shop’s again and must reach the buyer another way.';
