import type { Letter, LinkTo } from '#server/mail/letter.ts';
import type { MailData } from '#server/mail/mails.ts';

const opening =
  'Welcome to Dogear, and thank you for joining. Every book here exists once, and the next one may be yours.';

export const welcome = ({ confirmToken }: MailData['welcome'], to: LinkTo): Letter =>
  confirmToken === null
    ? {
        subject: 'Welcome to Dogear',
        opening: [opening],
        action: { label: 'Browse the shelves', href: to('/categories') },
      }
    : {
        subject: 'Welcome to Dogear: please confirm your address',
        opening: [
          opening,
          'Please confirm that this address is yours. You can look around and book without it; selling your own books needs it.',
        ],
        action: { label: 'Confirm my address', href: to(`/confirm#token=${confirmToken}`) },
        closing: [
          'The link works for 7 days. If you did not make this account, do not confirm it: somebody mistyped an address, and without your word it stays unconfirmed.',
        ],
      };
