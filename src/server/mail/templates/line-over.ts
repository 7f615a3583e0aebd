import type { Letter, LinkTo } from '#server/mail/letter.ts';
import type { MailData } from '#server/mail/mails.ts';

export const lineOver = ({ title }: MailData['line-over'], to: LinkTo): Letter => ({
  subject: `No longer to be had: ${title}`,
  opening: [
    `You were waiting in line for “${title}”. It was sold or taken out of the shop, so the line is closed.`,
    'Another reader may be selling the same book.',
  ],
  action: { label: 'Look for another copy', href: to('/categories') },
});
