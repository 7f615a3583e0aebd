import { formatZonedMoment } from '#contract/time.ts';
import type { Letter, LinkTo } from '#server/mail/letter.ts';
import type { MailData } from '#server/mail/mails.ts';

export const newSignIn = ({ at, device }: MailData['new-sign-in'], to: LinkTo, timeZone: string): Letter => ({
  subject: 'A new sign-in to your account',
  opening: [
    'Somebody signed in to your account with a browser that we have not seen you use before.',
    'If that was you, there is nothing to do. If it was not, set a new password: it ends every session.',
  ],
  facts: [
    ['When', formatZonedMoment(at, timeZone)],
    ['With', device],
  ],
  action: { label: 'Set a new password', href: to('/forgot-password') },
});
