import type { Letter, LinkTo } from '#server/mail/letter.ts';
import type { MailData } from '#server/mail/mails.ts';
import { priceWords } from '#server/mail/words.ts';

export const refunded = (refund: MailData['refunded'], to: LinkTo): Letter => ({
  subject: `Refunded: ${refund.title}`,
  opening: [
    refund.otherwise === undefined
      ? 'Your money is on its way back to the card you paid with. Banks take up to ten days to show it.'
      : 'The card you paid with did not take your money back, so the shop has paid it to you in another way.',
  ],
  facts: [
    ['Book', refund.title],
    ['Refunded', priceWords(refund.priceCents)],
    ...(refund.otherwise === undefined ? [] : [['Reference', refund.otherwise] as const]),
    ['Booking', refund.bookingId],
  ],
  action:
    refund.orderId === undefined
      ? { label: 'See my orders', href: to('/dashboard/my_orders') }
      : { label: 'See your order', href: to(`/dashboard/orders/${refund.orderId}`) },
});
