import type { Letter, LinkTo } from '#server/mail/letter.ts';
import type { MailData } from '#server/mail/mails.ts';
import { priceWords } from '#server/mail/words.ts';

export const moneyReturned = (payment: MailData['money-returned'], to: LinkTo): Letter => ({
  subject: `Your payment goes back to you: ${payment.title}`,
  opening: [
    'Your payment came when somebody else had the book already. We are sorry.',
    'All of it goes back to the card you paid with; you need not do anything. Banks take up to ten days to show it.',
  ],
  facts: [
    ['Book', payment.title],
    ['Goes back to you', priceWords(payment.priceCents)],
    ['Booking', payment.bookingId],
  ],
  action: { label: 'Find another copy', href: to('/categories') },
});
