import { readTidings } from '#server/bookings/booking.service.ts';
import type { Paid } from '#server/ledger/ledger.service.ts';
import type { Trx } from '#server/platform/postgres/db.ts';
import type { Payment } from '#server/payments/intents/payment.queries.ts';

/** What of a payment the ledger posts, but for whose it is. */
export const paidAs = ({ id: paymentId, ...payment }: Payment): Omit<Paid, 'orderId' | 'sellerId'> => {
  const { bookingId, amountCents, postageCents, feeCents, postageFeeCents, commissionCents } = payment;
  return { paymentId, bookingId, amountCents, postageCents, feeCents, postageFeeCents, commissionCents };
};

/** A payment as the ledger posts it. */
export const paidOf = async (trx: Trx, payment: Payment): Promise<Paid> => {
  const { sellerId, orderId } = await readTidings(trx, payment.bookingId);
  return { ...paidAs(payment), sellerId, orderId: payment.outcome === 'sale' ? orderId : null };
};
