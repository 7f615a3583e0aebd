import { formatZonedMoment } from '#contract/time.ts';
import type { Letter, LinkTo } from '#server/mail/letter.ts';
import type { MailData } from '#server/mail/mails.ts';
import { priceWords } from '#server/mail/words.ts';

/** Offers a copy to the reader who waits for it, before anybody else. */
export const wantOffer = (offer: MailData['want-offer'], to: LinkTo, timeZone: string): Letter => ({
  subject: `We found it: ${offer.title}`,
  opening: ['A book that you look for has come, and you are the first who may have it: it is reserved for you now.'],
  facts: [
    ['Book', offer.title],
    ['Price', priceWords(offer.priceCents)],
    ['This copy', offer.words],
    ['Reserved until', formatZonedMoment(offer.heldUntil, timeZone)],
  ],
  action: { label: 'Take it', href: to(`/dashboard/wants?take=${offer.offerId}`) },
  other: { label: 'Not this one', href: to(`/dashboard/wants?pass=${offer.offerId}`) },
  closing: ['After that time it goes to the next reader who looks for it, or on the shelf.'],
});
