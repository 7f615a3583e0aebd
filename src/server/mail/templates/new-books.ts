import { inSentence } from '#contract/text.ts';
import type { Letter, LinkTo } from '#server/mail/letter.ts';
import type { MailData } from '#server/mail/mails.ts';

/** Says what a seller whom one follows has added. */
export const newBooks = ({ seller, slug, count, titles }: MailData['new-books'], to: LinkTo): Letter => {
  const rest = count - titles.length;
  const named = rest > 0 ? [...titles, `${rest} more`] : titles;
  return {
    subject: `${seller} has added ${count === 1 ? 'a book' : `${count} books`}`,
    opening: [`New on their shelf: ${inSentence(named)}.`],
    action: { label: 'See the shelf', href: to(`/seller/${encodeURIComponent(slug)}`) },
    closing: ['You get this because you follow this seller; on their page you can end that.'],
  };
};
