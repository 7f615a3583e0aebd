import { IDENTITY_FROM } from '#contract/law/identity.ts';
import { formatCount } from '#contract/count.ts';
import { formatZonedMoment } from '#contract/time.ts';
import type { Letter, LinkTo } from '#server/mail/letter.ts';
import type { MailData } from '#server/mail/mails.ts';

const { sales, dollars, days } = IDENTITY_FROM;
const SO_MUCH = `${sales} books and $${formatCount(dollars)} within a year`;

const LETTERS: Record<MailData['identity']['state'], readonly [subject: string, opening: string]> = {
  asked: [
    'Please show us who you are',
    `You have sold more than ${SO_MUCH}. The law has us know who sells so much: set up your payouts at the payment provider, who asks for it, or send a document to the shop, whose address is in its imprint. You have ${days} days.`,
  ],
  paused: [
    'Your payouts wait',
    `You have sold more than ${SO_MUCH}, and we do not know yet who you are. Until we do, what you are due waits; your sales go on. Set up your payouts at the payment provider, or send a document to the shop, whose address is in its imprint.`,
  ],
  confirmed: ['We know who you are', 'Thank you: we know who you are. Nothing that you are due waits for that.'],
};

export const identity = ({ state, by }: MailData['identity'], to: LinkTo, timeZone: string): Letter => {
  const [subject, opening] = LETTERS[state];
  return {
    subject,
    opening: [opening],
    facts: state === 'asked' && by !== null ? [['Until', formatZonedMoment(by, timeZone)]] : [],
    action: { label: 'See your payouts', href: to('/dashboard/payouts') },
    closing: state === 'confirmed' ? [] : [`The imprint: ${to('/#imprint')}`],
  };
};
