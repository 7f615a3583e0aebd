import { SEARCH_TEXT_MAX } from '#contract/catalog/search.ts';
import type { Letter, LinkTo } from '#server/mail/letter.ts';
import type { MailData } from '#server/mail/mails.ts';

/** A title may be longer than what can be searched for, and is never cut within a character. */
const searchFor = (title: string): string =>
  `/search?q=${encodeURIComponent(title.slice(0, SEARCH_TEXT_MAX).toWellFormed())}`;

export const waitlistOver = ({ title, isSold = false }: MailData['line-over'], to: LinkTo): Letter => ({
  subject: isSold ? `${title} has been sold` : `No longer available: ${title}`,
  opening: [
    isSold
      ? `You were on the waiting list for “${title}”. This copy has been sold, so the list is closed.`
      : `You were on the waiting list for “${title}”. This copy was taken out of the shop, so the list is closed.`,
    'Another reader may be selling the same book.',
  ],
  action: { label: 'Look for another copy', href: to(searchFor(title)) },
});
