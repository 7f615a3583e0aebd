import type { Letter, LinkTo } from '#server/mail/letter.ts';
import type { MailData } from '#server/mail/mails.ts';
import { priceWords } from '#server/mail/words.ts';

type News = MailData['payout'];

type Words = (news: News) => readonly [subject: string, opening: string];

const detailsSubject = ({ days }: News): string =>
  days === 0 ? 'Money is waiting for you' : 'Money is still waiting for you';
const unclaimedSubject = ({ days }: News): string => `Money has been waiting for you for ${days} days`;

const WORDS: { readonly [A in News['about']]: Words } = {
  sent: () => [
    'Your money is on its way',
    'What you were due is paid out to your account at the payment service, which sends it on to your bank once a week.',
  ],
  failed: () => [
    'Your bank sent a payout back',
    'A payout did not arrive at your bank. The money is safe in your account at the payment service and is sent again once the bank details there are right.',
  ],
  details: (news) => [
    detailsSubject(news),
    'You have sold books and money is due to you, but the payment service does not know yet where to send it. It takes a few minutes to tell it.',
  ],
  unclaimed: (news) => [
    unclaimedSubject(news),
    'Money from your sales is due to you and could not be sent, because the payment service does not know where to. It stays yours however long it takes.',
  ],
  adjusted: ({ cents }) => [
    'What you are due was corrected',
    `An admin of the shop has corrected what you are due, and another one has approved it: it is ${cents < 0 ? 'less' : 'more'} now.`,
  ],
};

/** Where the shop sends the money itself. */
const BY_HAND: typeof WORDS = {
  ...WORDS,
  sent: () => ['Your money is on its way', 'The shop has sent what you were due to your bank account.'],
  failed: () => [
    'Your bank sent a payout back',
    'A payout did not arrive at your bank, and is due to you again. Nothing is sent before you have entered your bank details anew.',
  ],
  details: (news) => [
    detailsSubject(news),
    'You have sold books and money is due to you, but the shop needs your bank details to send it. It takes a few minutes to enter them.',
  ],
  unclaimed: (news) => [
    unclaimedSubject(news),
    'Money from your sales is due to you and could not be sent, because the shop has no bank details of yours that it may use. It stays yours however long it takes.',
  ],
};

export const payout = (news: News, to: LinkTo): Letter => {
  const [subject, opening] = (news.way === 'manual' ? BY_HAND : WORDS)[news.about](news);
  return {
    subject: `${subject}: ${priceWords(news.cents)}`,
    opening: [opening],
    facts: [
      ...(news.title === '' ? [] : [['For', news.title] as const]),
      ['Amount', priceWords(news.cents)],
      ...(news.reason === '' ? [] : [['Why', news.reason] as const]),
    ],
    action: { label: 'See my payouts', href: to('/dashboard/payouts') },
  };
};
