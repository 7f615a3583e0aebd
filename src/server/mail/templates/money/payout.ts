import type { Letter, LinkTo } from '#server/mail/letter.ts';
import type { MailData } from '#server/mail/mails.ts';
import { priceWords } from '#server/mail/words.ts';

type News = MailData['payout'];

const WORDS: { readonly [A in News['about']]: (news: News) => readonly [subject: string, opening: string] } = {
  sent: () => [
    'Your money is on its way',
    'What you were due is paid out to your account at the payment service, which sends it on to your bank once a week.',
  ],
  failed: () => [
    'Your bank sent a payout back',
    'A payout did not arrive at your bank. The money is safe in your account at the payment service and is sent again once the bank details there are right.',
  ],
  details: ({ days }) => [
    days === 0 ? 'Money is waiting for you' : 'Money is still waiting for you',
    'You have sold books and money is due to you, but the payment service does not know yet where to send it. It takes a few minutes to tell it.',
  ],
  unclaimed: ({ days }) => [
    `Money has been waiting for you for ${days} days`,
    'Money from your sales is due to you and could not be sent, because the payment service does not know where to. It stays yours however long it takes.',
  ],
};

export const payout = (news: News, to: LinkTo): Letter => {
  const [subject, opening] = WORDS[news.about](news);
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
