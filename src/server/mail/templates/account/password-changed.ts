import { formatZonedMoment } from '#contract/time.ts';
import type { Letter, LinkTo } from '#server/mail/letter.ts';
import type { MailData } from '#server/mail/mails.ts';

export const passwordChanged = ({ at }: MailData['password-changed'], to: LinkTo, timeZone: string): Letter => ({
  subject: 'Your password was changed',
  opening: [
    'The password of your account was changed.',
    'If that was you, there is nothing to do. If it was not, set a new password at once.',
  ],
  facts: [['When', formatZonedMoment(at, timeZone)]],
  action: { label: 'Set a new password', href: to('/forgot-password') },
});
