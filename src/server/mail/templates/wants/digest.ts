import { inSentence } from '#contract/text.ts';
import type { Letter, LinkTo } from '#server/mail/letter.ts';
import type { MailData } from '#server/mail/mails.ts';
import { priceWords } from '#server/mail/words.ts';

type Digest = MailData['digest'];

const booksOf = ({ count, titles }: { count: number; titles: readonly string[] }): string => {
  const rest = count - titles.length;
  return inSentence(rest > 0 ? [...titles, `${rest} more`] : titles);
};

/** The best of it. */
const subjectOf = ({ cheaper: [cheaper], found: [found], sellers, gone: [gone], ended: [ended] }: Digest): string => {
  const [seller] = sellers;
  if (cheaper !== undefined) return `Cheaper now: ${cheaper.title}`;
  if (found !== undefined || sellers.length > 1) return 'New books for you';
  if (seller !== undefined)
    return `${seller.name} has added ${seller.count === 1 ? 'a book' : `${seller.count} books`}`;
  if (gone !== undefined) return `Gone: ${gone}`;
  return `Do you still look for ${ended ?? ''}?`;
};

/** Where all of it is, or the one thing that there is. */
const actionOf = ({ cheaper, found, sellers, gone, ended }: Digest): { label: string; path: string } => {
  const [seller] = sellers;
  const more = cheaper.length + found.length + gone.length;
  if (more === 0 && seller === undefined) return { label: 'Keep looking', path: '/dashboard/wants' };
  if (more + ended.length === 0 && seller !== undefined && sellers.length === 1)
    return { label: 'See the shelf', path: `/seller/${encodeURIComponent(seller.slug)}` };
  return { label: 'See them', path: '/dashboard/watched' };
};

/** Says once a day what is new of what a reader follows, and what is not looked for any more. */
export const digest = (news: Digest, to: LinkTo): Letter => {
  const { cheaper, gone, found, sellers, ended } = news;
  const { label, path } = actionOf(news);
  return {
    subject: subjectOf(news),
    opening: [
      ...(cheaper.length + gone.length + found.length + sellers.length > 0 ? ['This is new of what you follow.'] : []),
      ...(ended.length > 0
        ? [
            'A year ago you asked us to tell you when there is a copy. That has ended, unless you still look for it: one press goes on.',
          ]
        : []),
    ],
    facts: [
      ...cheaper.map(
        ({ title, fromCents, toCents }) =>
          ['Cheaper', `${title}: ${priceWords(toCents)} instead of ${priceWords(fromCents)}`] as const,
      ),
      ...found.map((one) => [`“${one.name}”`, booksOf(one)] as const),
      ...sellers.map((one) => [`New from ${one.name}`, booksOf(one)] as const),
      ...gone.map((title) => ['Gone', title] as const),
      ...ended.map((title) => ['No longer looked for', title] as const),
    ],
    action: { label, href: to(path) },
    ...(ended.length > 0 && path !== '/dashboard/wants'
      ? { other: { label: 'Keep looking', href: to('/dashboard/wants') } }
      : {}),
  };
};
