import type { Letter, LinkTo } from '#server/mail/letter.ts';
import type { MailData } from '#server/mail/mails.ts';

export const bankDetails = ({ isChange, holdHours }: MailData['bank-details'], to: LinkTo): Letter => ({
  subject: isChange ? 'Your bank details were changed' : 'Your bank details were entered',
  opening: [
    `The bank account that the money of your sales goes to was ${isChange ? 'changed' : 'entered'}.`,
    ...(holdHours === 0
      ? []
      : [`To be safe, nothing is paid to it for ${holdHours} hours. What you are due waits, and is not lost.`]),
    'If that was you, there is nothing to do. If it was not, set a new password at once, and then enter your own bank details again.',
  ],
  action: { label: 'See my payouts', href: to('/dashboard/payouts') },
  closing: [`A new password: ${to('/forgot-password')}`],
});
