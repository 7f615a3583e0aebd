import { promisedInLine } from '#contract/bookings/promise-words.ts';
import { inSentence } from '#contract/text.ts';
import { queueMail, type MailData, type Recipient } from '#server/mail/outbox.service.ts';
import type { Trx } from '#server/platform/postgres/db.ts';
import { together } from '#server/platform/postgres/query.ts';
import { readMailedBooking, type MailedBooking } from './booking-mails.queries.ts';

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

/** What a receipt tells of a promise; the title stands above it. */
const promisedOf = ({ title, promise, hash }: MailedBooking) =>
  promise === null || hash === null ? [] : [{ title, words: promisedInLine(promise), hash: hash.toString('hex') }];

const leftBy = (phone: string, place: string): NonNullable<MailData['sold']['left']> => {
  if (phone !== '') return place === '' ? 'phone' : 'both';
  return place === '' ? 'nothing' : 'place';
};

/**
 * Sends the receipt to the buyer and the good news to the seller, once for what was paid together; who left the shop
 * gets no mail.
 */
export const mailPaid = async (
  trx: Trx,
  bookingIds: readonly string[],
  paid: {
    orderId: string;
    transactionId: string;
    postageCents: number;
    taxCents: number;
    termsVersion: string;
  },
): Promise<void> => {
  const all = await Promise.all(bookingIds.map((id) => readMailedBooking(trx, id)));
  const [first] = all;
  const [bookingId] = bookingIds;
  if (first === undefined || bookingId === undefined || first.paidAt === null) throw new Error('nothing was paid');
  const { paidAt, buyer, seller, delivery, dueAt } = first;
  const said = (field: 'phone' | 'location') => all.find((each) => each[field] !== '')?.[field] ?? '';
  const { orderId, transactionId, postageCents, taxCents, termsVersion } = paid;
  const title = inSentence(all.map((each) => each.title));
  const priceCents = all.reduce((sum, each) => sum + each.priceCents, 0) + postageCents;
  const key = bookingIds.length === 1 ? bookingId : orderId;
  await together(
    trx,
    async () =>
      buyer.isThere &&
      queueMail(trx, {
        kind: 'paid-receipt',
        key: `paid-receipt:${key}`,
        to: buyer,
        data: {
          title,
          priceCents,
          bookingId,
          transactionId,
          paidAt: paidAt.toISOString(),
          sellerName: seller.name,
          orderId,
          postageCents,
          taxCents,
          termsVersion,
          promised: all.flatMap(promisedOf),
        },
      }),
    async () =>
      seller.isThere &&
      queueMail(trx, {
        kind: 'sold',
        key: `sold:${key}`,
        to: seller,
        data: {
          title,
          priceCents: priceCents - postageCents,
          buyerName: buyer.name,
          left: leftBy(said('phone'), said('location')),
          orderId,
          delivery: delivery ?? 'pickup',
          postageCents,
          dueAt: dueAt?.toISOString() ?? null,
        },
      }),
  );
};
