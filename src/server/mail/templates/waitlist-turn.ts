import { formatZonedMoment } from '#contract/time.ts';
import type { Letter, LinkTo } from '#server/mail/letter.ts';
import type { MailData } from '#server/mail/mails.ts';
import { priceWords } from '#server/mail/words.ts';

export const waitlistTurn = (turn: MailData['line-turn'], to: LinkTo, timeZone: string): Letter => ({
  subject: `It is your turn: ${turn.title}`,
  opening: [
    'A book you were waiting for is free again, and you were first on its waiting list: it is reserved for you now.',
  ],
  facts: [
    ['Book', turn.title],
    ['Price', priceWords(turn.priceCents)],
    ['Reserved until', formatZonedMoment(turn.heldUntil, timeZone)],
  ],
  action: { label: 'Pay for it', href: to(`/dashboard/payment/${turn.bookingId}`) },
  closing: ['After that time it goes to the next reader on the waiting list.'],
});
