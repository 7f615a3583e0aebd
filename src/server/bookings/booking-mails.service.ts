import { queueMail, type MailData, type Recipient } from '#server/mail/outbox.service.ts';
import type { Trx } from '#server/platform/postgres/db.ts';
import { readMailedBooking } from './booking-mails.queries.ts';

/** Tells a buyer that a copy is reserved for them, once a booking: by the name and address they have now. */
export const mailBookingMade = async (
  trx: Trx,
  booking: { id: string; title: string; priceCents: number; heldUntil: Date },
  buyer: Recipient,
): Promise<void> => {
  const { id: bookingId, title, priceCents, heldUntil } = booking;
  await queueMail(trx, {
    kind: 'booking-made',
    key: `booking-made:${bookingId}`,
    to: buyer,
    data: { title, priceCents, bookingId, heldUntil: heldUntil.toISOString() },
  });
};

const leftBy = (phone: string, place: string): NonNullable<MailData['sold']['left']> => {
  if (phone !== '') return place === '' ? 'phone' : 'both';
  return place === '' ? 'nothing' : 'place';
};

/** Sends the receipt to the buyer and the good news to the seller, once a booking; who left the shop gets no mail. */
export const mailPaid = async (trx: Trx, bookingId: string, transactionId: string): Promise<void> => {
  const { title, listingId, phone, location, priceCents, paidAt, buyer, seller } = await readMailedBooking(
    trx,
    bookingId,
  );
  if (paidAt === null) throw new Error(`booking ${bookingId} is not paid`);
  if (buyer.isThere) {
    await queueMail(trx, {
      kind: 'paid-receipt',
      key: `paid-receipt:${bookingId}`,
      to: buyer,
      data: {
        title,
        priceCents,
        bookingId,
        transactionId,
        paidAt: paidAt.toISOString(),
        listingId,
        sellerName: seller.name,
      },
    });
  }
  if (seller.isThere) {
    await queueMail(trx, {
      kind: 'sold',
      key: `sold:${bookingId}`,
      to: seller,
      data: { title, priceCents, buyerName: buyer.name, left: leftBy(phone, location) },
    });
  }
};
