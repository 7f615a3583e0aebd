import type { Letter, LinkTo } from '#server/mail/letter.ts';
import type { MailData } from '#server/mail/mails.ts';
import { priceWords, timeWords } from '#server/mail/words.ts';

export const lineTurn = (turn: MailData['line-turn'], to: LinkTo): Letter => ({
  subject: `It is your turn: ${turn.title}`,
  opening: ['A book you were waiting for is free again, and you were first in line: it is reserved for you now.'],
  facts: [
    ['Book', turn.title],
    ['Price', priceWords(turn.priceCents)],
    ['Reserved until', timeWords(turn.heldUntil)],
  ],
  action: { label: 'Pay for it', href: to(`/dashboard/payment/${turn.bookingId}`) },
  closing: ['After that time the next in line gets it.'],
});
