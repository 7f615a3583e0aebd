import type { Letter, LinkTo } from '#server/mail/letter.ts';
import type { MailData } from '#server/mail/mails.ts';

/** Says who wrote, and not what: a mail may be read by others, and is answered on the page. */
export const note = ({ orderId, title, from }: MailData['note'], to: LinkTo): Letter => ({
  subject: `A note about ${title}`,
  opening: [`${from === 'buyer' ? 'The buyer' : 'The seller'} has written to you about this order.`],
  facts: [['Order', title]],
  action: { label: 'Read the note', href: to(`/dashboard/orders/${orderId}#notes`) },
  closing: ['Please answer on that page: an answer to this mail reaches nobody.'],
});
