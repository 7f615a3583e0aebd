import type { Letter, LinkTo } from '#server/mail/letter.ts';
import type { MailData } from '#server/mail/mails.ts';

export const adminRemoved = ({ reason }: MailData['admin-removed'], to: LinkTo): Letter => ({
  subject: 'You are no longer an admin',
  opening: ['Another admin has removed your admin role. Your account and everything else in it stay as they are.'],
  facts: [['Reason', reason]],
  action: { label: 'Go to your dashboard', href: to('/dashboard') },
  closing: ['If you think this is a mistake, please write to the shop: its address is at the foot of every page.'],
});
