import type { Letter, LinkTo } from '#server/mail/letter.ts';
import type { MailData } from '#server/mail/mails.ts';
import { priceWords } from '#server/mail/words.ts';

export const refunded = (refund: MailData['refunded'], to: LinkTo): Letter => ({
  subject: `Refunded: ${refund.title}`,
  opening: ['Your money is on its way back to the card you paid with. Banks take up to ten days to show it.'],
  facts: [
    ['Book', refund.title],
    ['Refunded', priceWords(refund.priceCents)],
    ['Booking', refund.bookingId],
  ],
  action: { label: 'See my orders', href: to('/dashboard/my_orders') },
});
