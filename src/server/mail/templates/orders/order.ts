import { STATEMENT_WORDS } from '#contract/orders/states.ts';
import { formatZonedMoment } from '#contract/time.ts';
import type { Letter, LinkTo } from '#server/mail/letter.ts';
import type { MailData } from '#server/mail/mails.ts';
import { priceWords } from '#server/mail/words.ts';

type News = MailData['order'];
type Words = readonly [subject: string, opening: string];

const byWhom = {
  buyer: 'The buyer',
  seller: 'The seller',
  admin: 'The shop',
  clock: 'The shop',
  bank: 'The bank',
  settle: 'The shop',
};

/** What happened, as its reader sees it. */
const WORDS: Readonly<Record<string, (news: News) => Words>> = {
  post: () => ['On its way', 'Your book is posted. Say so on its page once it is there.'],
  'make-ready': () => [
    'Ready to be picked up',
    'Your book is ready. Tell the seller the code below when you have it in your hands.',
  ],
  cancel: ({ side }) =>
    side === 'seller'
      ? ['Cancelled', 'The buyer has cancelled this order. Please do not post it; the book goes back on the shelf.']
      : ['Cancelled', 'You have cancelled this order. All of the money goes back to your card.'],
  refuse: () => ['Cancelled', 'The seller cannot send this order. All of your money goes back to your card.'],
  'cancel-unposted': ({ side, by }) =>
    side === 'seller'
      ? [
          'Cancelled',
          'This order was not posted in time and is cancelled. The buyer’s money goes back, and you bear the payment fee.',
        ]
      : [
          'Cancelled',
          by === 'admin'
            ? 'The seller has left the shop. All of your money goes back to your card.'
            : 'The seller has not posted this order in time. All of your money goes back to your card.',
        ],
  'cancel-uncollected': ({ side }) =>
    side === 'seller'
      ? ['Cancelled', 'Nobody picked this order up. The buyer’s money goes back; the book goes back on the shelf.']
      : ['Cancelled', 'You have not picked this order up. Your money goes back to your card.'],
  'hand-over': ({ side }) => [
    'Handed over',
    side === 'seller'
      ? 'The book is with its buyer. The money is released once the time for complaints is over.'
      : 'The book is handed over. If it is not as described, say so on its page by the time below.',
  ],
  receive: () => [
    'Received',
    'The book is with its buyer. The money is released once the time for complaints is over.',
  ],
  'report-missing': () => [
    'Not arrived',
    'The buyer says that this order did not come. Please answer on its page: without an answer the money goes back.',
  ],
  'report-problem': () => [
    'A problem',
    'The buyer says that something is wrong with this order. Please answer on its page: without an answer the money goes back.',
  ],
  'come-back': () => [
    'Came back',
    'The parcel came back to the seller. The order closes in some days and the money goes back; its page says how much, and you can have it now.',
  ],
  withdraw: ({ side }) =>
    side === 'seller'
      ? [
          'Withdrawn from',
          'The buyer withdraws from the contract, as the law lets them. They send the book back at their own cost; once you have it, all that was paid goes back to them.',
        ]
      : [
          'Your withdrawal',
          'We have your withdrawal from the contract of this order; this mail, by its date, is your receipt. Send the book back to the address below by the time below, at your own cost, and say so on the order’s page; then all that you paid goes back.',
        ],
  close: () => ['Closed', 'This order is closed, and what you receive of it is yours.'],
  'refund-problem': ({ side }) =>
    side === 'seller'
      ? ['Refunded', 'The money of this order goes back to the buyer.']
      : ['Refunded', 'Your money goes back to your card.'],
  'offer-part': () => [
    'An offer',
    'The seller offers to give a part of the price back. Accept it on the order’s page, or ask the shop to decide.',
  ],
  'ask-admin': () => ['To be decided', 'Buyer and seller do not agree about this order: the shop decides.'],
  'refund-part': () => ['Partly refunded', 'A part of the price goes back to the buyer, and the order is closed.'],
  keep: () => ['Closed', 'The problem is settled and the order is closed.'],
  'ask-back': () => [
    'Send it back',
    'The seller wants the book back and pays its way. Send it as they say below, and say so on the order’s page; then your money goes back.',
  ],
  'post-back': () => ['On its way back', 'The book is on its way back to you.'],
  'arrive-back': () => ['It is back', 'The carrier says that the book is with you. Please look and say so.'],
  'keep-unreturned': ({ by }) => [
    'Closed',
    by === 'clock' ? 'The book was not sent back in time: the sale stands.' : 'The book is kept: the sale stands.',
  ],
  'take-back': () => ['Refunded', 'The book is back with its seller, and the money goes back to the buyer.'],
  'close-returned': () => ['Refunded', 'The parcel that came back is settled: the money goes back to the buyer.'],
  'call-off': () => [
    'Cancelled',
    'The shop has called this order off. Please do not post it; the money goes back to the buyer.',
  ],
  'refund-order': () => ['Refunded', 'The money of this order goes back to the buyer.'],
  'take-out': () => ['A book less', 'One book of this order was cancelled. The others stay in it.'],
  'leave-out': () => [
    'A book less',
    'The seller cannot send one book of this order. Its price goes back; the others are coming.',
  ],
  'strike-out': () => ['A book less', 'The shop has taken one book out of this order. Its price goes back.'],
  freeze: ({ side }) =>
    side === 'seller'
      ? [
          'Stopped by the bank',
          'The buyer’s bank is looking into this payment. If it is not posted yet, please do not post it.',
        ]
      : ['Stopped by the bank', 'Your bank is looking into this payment. The order stands still until it has decided.'],
  thaw: () => ['Goes on', 'The bank has decided for the shop: the order goes on where it stood.'],
  'win-later': () => ['Decided by the bank', 'The bank has decided for the shop: your share of this order is yours.'],
  'lose-later': () => [
    'Decided by the bank',
    'The bank has given the money of this closed order back to the buyer. Your share of it stays taken back.',
  ],
  'win-appeal': ({ side }) =>
    side === 'seller'
      ? [
          'Won on appeal',
          'The bank’s decision about this order was appealed, and won: your share of it is yours again.',
        ]
      : ['Won on appeal', 'The shop has appealed against your bank’s decision, and won: the sale stands.'],
  'win-unposted': ({ side }) =>
    side === 'seller'
      ? [
          'Won on appeal',
          'The bank’s decision about this order was appealed, and won. As it was never posted, the money goes back to the buyer.',
        ]
      : [
          'Refunded',
          'The shop has appealed against your bank’s decision, and won. As this order was never posted, your money goes back to your card.',
        ],
  'lose-unposted': () => ['Cancelled', 'The bank has given the money back to the buyer. Do not post this order.'],
  lose: () => ['Closed', 'The bank has given the money back to the buyer. The order is closed.'],
  'refund-later': () => ['Refunded', 'Money of this order goes back to the buyer.'],
  'dispute-later': () => ['Disputed', 'The buyer’s bank is looking into the payment of this closed order.'],
  reminder: ({ side, state }) => {
    if (state === 'ready') return ['Still to be picked up', 'This order waits to be picked up.'];
    if (side === 'seller') return ['Please post it', 'This order waits to be posted.'];
    return ['Is it there?', 'If this order has come, please say so on its page. If it has not, say that.'];
  },
};

const fact = (label: string, value: string): readonly [string, string][] => (value === '' ? [] : [[label, value]]);

export const order = (news: News, to: LinkTo, timeZone: string): Letter => {
  const [word, opening] = WORDS[news.about]?.(news) ?? ['News', `${byWhom[news.by]} has changed this order.`];
  return {
    subject: `${word}: ${news.title}`,
    opening: [opening],
    facts: [
      ['Order', news.title],
      ...fact('Goes back', news.cents === 0 ? '' : priceWords(news.cents)),
      ...fact('Not as described', news.statement === undefined ? '' : STATEMENT_WORDS[news.statement]),
      ...fact('Said', news.reason),
      ...fact('Carrier', news.carrier),
      ...fact('Number', news.tracking),
      ...(news.state === 'ready' ? [...fact('Place', news.place), ...fact('Times', news.times)] : []),
      ...fact('How to send it', news.sendBack ?? ''),
      ...fact('Your code', news.code ?? ''),
      ...(news.dueAt === null ? [] : fact('By', formatZonedMoment(news.dueAt, timeZone))),
    ],
    action: { label: 'See the order', href: to(`/dashboard/orders/${news.orderId}`) },
  };
};
