import { RESET_LINK_MINUTES } from '#contract/users/mail-links.ts';
import type { Letter, LinkTo } from '#server/mail/letter.ts';
import type { MailData } from '#server/mail/mails.ts';

export const reset = ({ resetToken }: MailData['reset'], to: LinkTo): Letter => ({
  subject: 'Set a new password',
  opening: ['Somebody, hopefully you, asked for a new password for your account. Open the link to choose one.'],
  action: { label: 'Choose a new password', href: to(`/reset-password#token=${resetToken}`) },
  closing: [
    `The link works for ${RESET_LINK_MINUTES} minutes and once. A new password signs you out everywhere else.`,
    'If you did not ask for it, there is nothing to do: your password stays as it is. Nobody from Dogear will ever ask you for this link.',
  ],
});
