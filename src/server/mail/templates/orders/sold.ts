import { formatDeadline } from '#contract/time.ts';
import type { Letter, LinkTo } from '#server/mail/letter.ts';
import type { MailData } from '#server/mail/mails.ts';
import { priceWords } from '#server/mail/words.ts';

type Sale = MailData['sold'];
type Left = NonNullable<Sale['left']>;

/** Where it is said how the buyer is reached who comes for the book, by what they left. */
const LEFT: Readonly<Record<Left, string>> = {
  phone: 'The buyer’s phone number is on that page, where you can write to them, too.',
  place:
    'You can write to the buyer on that page. Their place is in My Buyers; they left no phone number, and see yours.',
  both: 'The buyer’s phone number is on that page, where you can write to them, too. Their place is in My Buyers.',
  nothing:
    'You can write to the buyer on that page. They left no phone number and no place, and see your phone number.',
};

/** As `LEFT`, of a book that is posted. */
const POSTED_LEFT: Readonly<Record<Left, string>> = {
  phone: 'The address and the buyer’s phone number are on that page.',
  both: 'The address and the buyer’s phone number are on that page.',
  place: 'The address is on that page.',
  nothing: 'The address is on that page.',
};

const PAID = 'Your book has found its next reader and is paid for.';

const whatToDo = ({ delivery, dueAt }: Sale, timeZone: string): string => {
  const by = dueAt == null ? '' : ` by ${formatDeadline(dueAt, timeZone)}`;
  const orElse = dueAt == null ? '' : ' Else the order is cancelled, the money goes back and you bear the payment fee.';
  return delivery === 'post'
    ? `${PAID} Post it${by} and say so on the order’s page.${orElse}`
    : `${PAID} Offer times to pick it up${by} on the order’s page.${orElse}`;
};

/** Of what an earlier release queued, which does not know the order. */
const ofBefore = (to: LinkTo): Pick<Letter, 'opening' | 'action'> => ({
  opening: [`${PAID} What is to be done with it is in My Buyers.`],
  action: { label: 'See my buyers', href: to('/dashboard/my_buyers') },
});

const ofOrder = (
  orderId: string,
  sale: Sale,
  to: LinkTo,
  timeZone: string,
): Pick<Letter, 'opening' | 'action' | 'closing'> => ({
  opening: [whatToDo(sale, timeZone)],
  action: { label: 'See the order', href: to(`/dashboard/orders/${orderId}`) },
  closing: [(sale.delivery === 'post' ? POSTED_LEFT : LEFT)[sale.left ?? 'nothing']],
});

export const sold = (sale: Sale, to: LinkTo, timeZone: string): Letter => {
  const { orderId, delivery, postageCents = 0 } = sale;
  return {
    subject: `Sold: ${sale.title}`,
    ...(orderId === undefined ? ofBefore(to) : ofOrder(orderId, sale, to, timeZone)),
    facts: [
      ['Book', sale.title],
      ['Price', priceWords(sale.priceCents)],
      ...(delivery === 'post' ? ([['Postage', priceWords(postageCents)]] as const) : []),
      ['Buyer', sale.buyerName],
    ],
  };
};
