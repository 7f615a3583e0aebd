import { formatZonedMoment } from '#contract/time.ts';
import type { Letter, LinkTo } from '#server/mail/letter.ts';
import type { MailData } from '#server/mail/mails.ts';
import { priceWords } from '#server/mail/words.ts';

export const paidReceipt = (payment: MailData['paid-receipt'], to: LinkTo, timeZone: string): Letter => ({
  subject: `Your receipt: ${payment.title}`,
  opening: ['Thank you. Your payment arrived and the book is yours. Its seller has been told.'],
  facts: [
    ['Book', payment.title],
    ...(payment.sellerName === undefined ? [] : ([['Seller', payment.sellerName]] as const)),
    ['Paid', priceWords(payment.priceCents)],
    ['When', formatZonedMoment(payment.paidAt, timeZone)],
    ['Transaction', payment.transactionId],
    ['Booking', payment.bookingId],
  ],
  ...(payment.listingId === undefined
    ? { action: { label: 'See my orders', href: to('/dashboard/my_orders') } }
    : {
        action: { label: 'See the book', href: to(`/book/${payment.listingId}`) },
        closing: ['My Orders tells how to reach its seller.'],
      }),
});
