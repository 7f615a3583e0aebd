import type { Letter, LinkTo } from '#server/mail/letter.ts';
import type { MailData } from '#server/mail/mails.ts';

export const confirmAgain = ({ confirmToken }: MailData['confirm-again'], to: LinkTo): Letter => ({
  subject: 'Please confirm your address',
  opening: ['Here is the link you asked for. Open it to confirm that this address is yours.'],
  action: { label: 'Confirm my address', href: to(`/confirm#token=${confirmToken}`) },
  closing: ['The link works for 7 days. If you did not ask for it, there is nothing to do.'],
});
