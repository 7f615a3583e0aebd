import type { Letter, LinkTo } from '#server/mail/letter.ts';
import type { MailData } from '#server/mail/mails.ts';

export const sellerVerified = (_data: MailData['seller-verified'], to: LinkTo): Letter => ({
  subject: 'You are a verified seller',
  opening: ['Good news: we have verified you as a seller. From now on a tick beside your name tells buyers so.'],
  action: { label: 'Add a book', href: to('/dashboard/add_product') },
});
