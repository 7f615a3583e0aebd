import { formatZonedMoment } from '#contract/time.ts';
import type { Letter, LinkTo } from '#server/mail/letter.ts';
import type { MailData } from '#server/mail/mails.ts';
import { priceWords } from '#server/mail/words.ts';

/** What the total is made of, where it is more than prices. */
const partsOf = ({ priceCents, postageCents = 0, taxCents = 0 }: MailData['paid-receipt']): [string, string][] => {
  const parts: [string, number][] = [
    ['Postage', postageCents],
    ['Tax', taxCents],
  ];
  const more = parts
    .filter(([, cents]) => cents > 0)
    .map(([name, cents]): [string, string] => [name, priceWords(cents)]);
  return more.length === 0 ? [] : [['Price', priceWords(priceCents - postageCents - taxCents)], ...more];
};

/** What was promised: of several books each by its title. */
const promisedOf = ({ promised = [] }: MailData['paid-receipt']): [string, string][] =>
  promised.flatMap(({ title, words, hash }): [string, string][] => [
    [promised.length === 1 ? 'Promised' : `Promised of ${title}`, words],
    ['Its fingerprint', hash],
  ]);

export const paidReceipt = (payment: MailData['paid-receipt'], to: LinkTo, timeZone: string): Letter => ({
  subject: `Your receipt: ${payment.title}`,
  opening: ['Thank you. Your payment arrived and the book is yours. Its seller has been told.'],
  facts: [
    ['Book', payment.title],
    ...promisedOf(payment),
    ...(payment.sellerName === undefined ? [] : ([['Seller', payment.sellerName]] as const)),
    ...partsOf(payment),
    ['Paid', priceWords(payment.priceCents)],
    ['When', formatZonedMoment(payment.paidAt, timeZone)],
    ['Transaction', payment.transactionId],
    ['Booking', payment.bookingId],
    ...(payment.termsVersion === undefined
      ? []
      : ([['Terms', `${to('/#terms')}, version ${payment.termsVersion}`]] as const)),
  ],
  action:
    payment.orderId === undefined
      ? { label: 'See my orders', href: to('/dashboard/my_orders') }
      : { label: 'See your order', href: to(`/dashboard/orders/${payment.orderId}`) },
  ...(payment.orderId !== undefined && {
    closing: ['Your order tells what happens next, and how to reach its seller.'],
  }),
});
