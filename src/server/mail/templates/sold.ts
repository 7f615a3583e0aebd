import type { Letter, LinkTo } from '#server/mail/letter.ts';
import type { MailData } from '#server/mail/mails.ts';
import { priceWords } from '#server/mail/words.ts';

/** How the buyer is reached, by what they left. */
const LEFT = {
  phone: 'The buyer’s phone number is on that page.',
  place: 'The buyer’s place is on that page; they left no phone number, and see yours.',
  both: 'The buyer’s phone number and place are on that page.',
  nothing: 'The buyer left no phone number and no place. They see yours and can get in touch.',
} as const;

export const sold = (sale: MailData['sold'], to: LinkTo): Letter => ({
  subject: `Sold: ${sale.title}`,
  opening: [
    sale.left === 'nothing'
      ? 'Your book has found its next reader and is paid for. Please hand it over.'
      : 'Your book has found its next reader and is paid for. Please get in touch with the buyer and hand it over.',
  ],
  facts: [
    ['Book', sale.title],
    ['Price', priceWords(sale.priceCents)],
    ['Buyer', sale.buyerName],
  ],
  action: { label: 'See my buyers', href: to('/dashboard/my_buyers') },
  ...(sale.left !== undefined && { closing: [LEFT[sale.left]] }),
});
