import type { Letter, LinkTo } from '#server/mail/letter.ts';
import type { MailData } from '#server/mail/mails.ts';

export const listingHeld = ({ title, isLive }: MailData['listing-held'], to: LinkTo): Letter => ({
  subject: isLive ? `On the shelf: ${title}` : `We look at it first: ${title}`,
  opening: isLive
    ? ['We have looked at your book, and it is on the shelf.']
    : ['Before your book goes live we have a look at it, as we do with some. It appears by itself; nothing is to do.'],
  facts: [['Book', title]],
  action: { label: 'See your books', href: to('/dashboard/my_products') },
  closing: [],
});
