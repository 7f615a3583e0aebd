import type { Letter, LinkTo } from '#server/mail/letter.ts';
import type { MailData } from '#server/mail/mails.ts';

type News = MailData['review'];

const other = ({ side }: News): string => (side === 'buyer' ? 'The seller' : 'The buyer');

const SAYS: { readonly [K in News['about']]: (news: News) => Pick<Letter, 'subject' | 'opening'> & { label: string } } =
  {
    asked: ({ title }) => ({
      subject: `How was it? ${title}`,
      opening: [
        'Your order is closed. You have 14 days to say how it went: one to five stars, and words if you like.',
        'It is shown once the seller has written as well, or after a week.',
      ],
      label: 'Write a review',
    }),
    shown: (news) => ({
      subject: `A review of you: ${news.title}`,
      opening: [`${other(news)} has reviewed you, and it is shown now. You may reply once.`],
      label: 'Read the review',
    }),
    replied: (news) => ({
      subject: `A reply to your review of ${news.title}`,
      opening: [`${other(news)} has replied to your review.`],
      label: 'Read the reply',
    }),
    allowed: ({ title }) => ({
      subject: `What you wrote about ${title} can be shown`,
      opening: ['We have looked at what you wrote and found nothing against it.'],
      label: 'See it',
    }),
    removed: ({ title }) => ({
      subject: `What you wrote about ${title} is not shown`,
      opening: [
        'What you wrote holds a link or a contact, or something else that has no place in a review. We have looked at it, and it is not shown.',
      ],
      label: 'See the order',
    }),
  };

/** Says that there is something to write, read or know, and not what was written. */
export const review = (news: News, to: LinkTo): Letter => {
  const { subject, opening, label } = SAYS[news.about](news);
  return {
    subject,
    opening,
    facts: [['Order', news.title], ...(news.reason === '' ? [] : [['Reason', news.reason] as const])],
    action: { label, href: to(`/dashboard/orders/${news.orderId}#reviews`) },
  };
};
