import { formatZonedMoment } from '#contract/time.ts';
import type { Letter, LinkTo } from '#server/mail/letter.ts';
import type { MailData } from '#server/mail/mails.ts';
import { priceWords } from '#server/mail/words.ts';

export const bookingMade = (booking: MailData['booking-made'], to: LinkTo, timeZone: string): Letter => ({
  subject: `Reserved for you: ${booking.title}`,
  opening: [
    'You have booked a book, and nobody else can take it while it is reserved for you. It is yours once it is paid.',
  ],
  facts: [
    ['Book', booking.title],
    ['Price', priceWords(booking.priceCents)],
    ['Reserved until', formatZonedMoment(booking.heldUntil, timeZone)],
  ],
  action: { label: 'Pay for it', href: to(`/dashboard/payment/${booking.bookingId}`) },
  closing: [
    'After that time the book goes back on the shelf. Your booking stays in My Orders, and you can pay as long as the book is there.',
  ],
});
