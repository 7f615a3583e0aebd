import { formatZonedMoment } from '#contract/time.ts';
import type { Letter, LinkTo } from '#server/mail/letter.ts';
import type { MailData } from '#server/mail/mails.ts';
import { priceWords } from '#server/mail/words.ts';

const NEWS = {
  open: [
    'Disputed',
    'A buyer’s bank disputes a payment. What its seller is owed for it is set aside until that is decided.',
  ],
  won: ['Dispute won', 'A dispute was decided for the shop: what was set aside is the seller’s again.'],
  lost: [
    'Dispute lost',
    'A dispute was decided for the buyer: the bank took the money back, and what was set aside is gone.',
  ],
} as const;

export const dispute = (facts: MailData['dispute'], to: LinkTo, timeZone: string): Letter => {
  const [word, opening] = NEWS[facts.state];
  return {
    subject: `${word}: ${facts.title}`,
    opening: [opening],
    facts: [
      ['Book', facts.title],
      ['Disputed', priceWords(facts.priceCents)],
      ['Reason', facts.reason.replaceAll('_', ' ')],
      ...(facts.state === 'open' && facts.dueBy
        ? [['Answer at Stripe by', formatZonedMoment(facts.dueBy, timeZone)] as const]
        : []),
      ['Booking', facts.bookingId],
    ],
    action: { label: 'See the money page', href: to('/dashboard/money') },
  };
};
