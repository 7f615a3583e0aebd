import { inSentence } from '#contract/text.ts';
import type { Letter, LinkTo } from '#server/mail/letter.ts';
import type { MailData } from '#server/mail/mails.ts';
import { priceWords } from '#server/mail/words.ts';

const booksOf = ({ count, titles }: MailData['digest']['found'][number]): string => {
  const rest = count - titles.length;
  return inSentence(rest > 0 ? [...titles, `${rest} more`] : titles);
};

/** Says once a day what is new of what a reader marked and searched for. */
export const digest = ({ cheaper, gone, found }: MailData['digest'], to: LinkTo): Letter => {
  const [first] = cheaper;
  const subject =
    first === undefined
      ? found.length > 0
        ? 'New books for you'
        : `Gone: ${gone[0] ?? ''}`
      : `Cheaper now: ${first.title}`;
  return {
    subject,
    opening: ['This is new of the books you marked and the searches you saved.'],
    facts: [
      ...cheaper.map(
        ({ title, fromCents, toCents }) =>
          ['Cheaper', `${title}: ${priceWords(toCents)} instead of ${priceWords(fromCents)}`] as const,
      ),
      ...found.map((one) => [`“${one.name}”`, booksOf(one)] as const),
      ...gone.map((title) => ['Gone', title] as const),
    ],
    action: { label: 'See them', href: to('/dashboard/watched') },
  };
};
