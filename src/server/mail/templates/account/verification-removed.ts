import type { Letter, LinkTo } from '#server/mail/letter.ts';
import type { MailData } from '#server/mail/mails.ts';

export const verificationRemoved = ({ reason }: MailData['verification-removed'], to: LinkTo): Letter => ({
  subject: 'You are no longer a verified seller',
  opening: ['We have removed the tick beside your name. Your books stay in the shop, and you can go on selling.'],
  facts: [['Reason', reason]],
  action: { label: 'See your books', href: to('/dashboard/my_products') },
  closing: ['If you think this is a mistake, please write to the shop: its address is at the foot of every page.'],
});
