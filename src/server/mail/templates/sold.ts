import type { Letter, LinkTo } from '#server/mail/letter.ts';
import type { MailData } from '#server/mail/mails.ts';
import { priceWords } from '#server/mail/words.ts';

export const sold = (sale: MailData['sold'], to: LinkTo): Letter => ({
  subject: `Sold: ${sale.title}`,
  opening: [
    'Your book has found its next reader and is paid for. Please get in touch with the buyer and hand it over.',
  ],
  facts: [
    ['Book', sale.title],
    ['Price', priceWords(sale.priceCents)],
    ['Buyer', sale.buyerName],
  ],
  action: { label: 'See my buyers', href: to('/dashboard/my_buyers') },
  closing: ["The buyer's phone number is on that page."],
});
