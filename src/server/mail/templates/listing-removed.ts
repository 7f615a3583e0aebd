import { RESTORE_DAYS } from '#contract/admin/restoring.ts';
import type { Letter, LinkTo } from '#server/mail/letter.ts';
import type { MailData } from '#server/mail/mails.ts';

export const listingRemoved = ({ title, reason }: MailData['listing-removed'], to: LinkTo): Letter => ({
  subject: `Taken down: ${title}`,
  opening: ['We have taken your listing out of the shop. Buyers no longer see it; your other listings stay.'],
  facts: [['Book', title], ...(reason === '' ? [] : [['Reason', reason] as const])],
  action: { label: 'See your books', href: to('/dashboard/my_products') },
  closing: [
    `If you can put it right, or think this is a mistake, appeal in Account, under Decisions, within ${RESTORE_DAYS} days: another admin looks at it, and can put the book back.`,
  ],
});
