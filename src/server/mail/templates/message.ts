import type { Letter, LinkTo } from '#server/mail/letter.ts';
import type { MailData } from '#server/mail/mails.ts';

/** Says who wrote, and not what: a mail may be read by others, and is answered on the page. */
export const message = ({ threadId, title, from }: MailData['message'], to: LinkTo): Letter => ({
  subject: `A message about ${title}`,
  opening: [`${from} has written to you about this book.`],
  facts: [['Book', title]],
  action: { label: 'Read the message', href: to(`/dashboard/messages/${threadId}`) },
  closing: [
    'Please answer on that page: an answer to this mail reaches nobody.',
    'Pay for books in the shop only. Whoever asks you to pay elsewhere cannot be held to it.',
  ],
});
