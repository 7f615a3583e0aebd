import type { Letter, LinkTo } from '#server/mail/letter.ts';
import type { MailData } from '#server/mail/mails.ts';
import { priceWords, timeWords } from '#server/mail/words.ts';

export const paidReceipt = (payment: MailData['paid-receipt'], to: LinkTo): Letter => ({
  subject: `Your receipt: ${payment.title}`,
  opening: ['Thank you. Your payment arrived and the book is yours. Its seller has been told.'],
  facts: [
    ['Book', payment.title],
    ['Paid', priceWords(payment.priceCents)],
    ['When', timeWords(payment.paidAt)],
    ['Transaction', payment.transactionId],
    ['Booking', payment.bookingId],
  ],
  action: { label: 'See my orders', href: to('/dashboard/my_orders') },
});
