import { formatZonedMoment } from '#contract/time.ts';
import type { Letter, LinkTo } from '#server/mail/letter.ts';
import type { MailData } from '#server/mail/mails.ts';

export const suspended = ({ reason, until }: MailData['suspended'], to: LinkTo, timeZone: string): Letter => ({
  subject: 'Your account is suspended',
  opening: [
    'Your books are out of sight, and you cannot book, list or write to others until this ends. What you are due waits.',
    'Orders that are under way go on: please send what was paid, and answer about it.',
  ],
  facts: [
    ['Reason', reason],
    ['Until', until === null ? 'the shop lifts it' : formatZonedMoment(until, timeZone)],
  ],
  action: { label: 'See your dashboard', href: to('/dashboard') },
  closing: ['If you think this is a mistake, please write to the shop: its address is at the foot of every page.'],
});

export const suspensionLifted = (_: MailData['suspension-lifted'], to: LinkTo): Letter => ({
  subject: 'Your account is no longer suspended',
  opening: ['Your books are back on the shelf, and you can book, list and write to others again.'],
  facts: [],
  action: { label: 'See your dashboard', href: to('/dashboard') },
  closing: [],
});
