import type { Letter, LinkTo } from '#server/mail/letter.ts';
import type { MailData } from '#server/mail/mails.ts';

export const apiKeyMade = ({ name }: MailData['api-key-made'], to: LinkTo): Letter => ({
  subject: `A key was made for a program: ${name}`,
  opening: [
    'Whoever has this key can look at or change your stock, as far as it may.',
    'If that was you, there is nothing to do. If it was not, revoke it at once and set a new password.',
  ],
  facts: [['Key', name]],
  action: { label: 'See your keys', href: to('/dashboard/stock/programs') },
});
