import type { Letter, LinkTo } from '#server/mail/letter.ts';
import type { MailData } from '#server/mail/mails.ts';
import { priceWords } from '#server/mail/words.ts';

export const holdLapsed = (booking: MailData['hold-lapsed'], to: LinkTo): Letter => ({
  subject: `No longer reserved: ${booking.title}`,
  opening: [
    'The time to pay for this book is over, so it is back on the shelf. You can still pay for it as long as nobody else takes it.',
  ],
  facts: [
    ['Book', booking.title],
    ['Price', priceWords(booking.priceCents)],
  ],
  action: { label: 'See whether it is still there', href: to(`/dashboard/payment/${booking.bookingId}`) },
});
