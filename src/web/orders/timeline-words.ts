import type { Order, OrderEvent } from '#contract/orders/orders.ts';

const BY = ['buyer', 'seller'] as const;

/** Who made a move, to begin a sentence with. */
const whoOf = ({ by }: OrderEvent, order: Order): string => {
  const party = BY.find((one) => one === by);
  if (party !== undefined) return order.side === party ? 'You' : order[party];
  return by === 'bank' ? 'The bank' : 'The shop';
};

const withCarrier = ({ carrier, tracking }: Order): string =>
  [carrier, tracking].filter((text) => text !== '').join(', ');

const bankOf = (side: Order['side']): string => (side === 'buyer' ? 'Your bank' : 'The buyer’s bank');

const SAYS: Readonly<Record<string, (who: string, order: Order) => string>> = {
  settle: () => 'Paid',
  before: () => 'Paid',
  post: (who, order) => `${who} posted it${withCarrier(order) === '' ? '' : `: ${withCarrier(order)}`}`,
  'make-ready': (who) => `${who} offered times to pick it up`,
  cancel: (who) => `${who} cancelled the order`,
  refuse: (who) => `${who} could not sell it: the order was cancelled`,
  'cancel-unposted': () => 'Nothing was posted in time: the order was cancelled',
  'take-out': (who) => `${who} cancelled one book`,
  'leave-out': (who) => `${who} could not sell one book`,
  'strike-out': (who) => `${who} took one book out`,
  'hand-over': (_, { buyer }) => `Handed over to ${buyer}`,
  'cancel-uncollected': () => 'Nobody picked it up: the order was cancelled',
  'wait-longer': (who) => `${who} waited longer for it`,
  'report-missing': (who) => `${who} said that it did not come`,
  'report-problem': (who) => `${who} reported a problem`,
  'come-back': (who) => `${who} said that the parcel came back`,
  withdraw: (who) => `${who} withdrew from the sale`,
  close: () => 'The order was closed',
  'offer-part': (who) => `${who} offered a part of the price back`,
  'refund-part': (who, { side }) =>
    who === 'The shop'
      ? 'The shop gave a part of the price back'
      : `${who} accepted ${side === 'seller' ? 'your' : 'the'} offer`,
  keep: (who) => `${who} let the sale stand`,
  'ask-back': (who) => `${who} asked for it back`,
  'post-back': (who) => `${who} sent it back`,
  'arrive-back': (who) => `${who} said that it arrived back`,
  'close-returned': () => 'The money goes back: the parcel had come back',
  'call-off': (who) => `${who} called the order off`,
  'refund-order': (who) => `${who} gave the money back`,
  freeze: (_, { side }) => `${bankOf(side)} began to look into the payment`,
  thaw: () => 'The bank decided for the shop: the order goes on',
  'lose-unposted': () => 'The bank gave the money back',
  lose: () => 'The bank gave the money back',
  'refund-later': (who) => `${who} gave money back`,
  'win-later': () => 'The bank decided for the shop',
  'lose-later': () => 'The bank gave the money back',
  'win-appeal': () => 'The bank’s decision was appealed and won: the sale stands',
  'win-unposted': () => 'The bank’s decision was appealed and won: as nothing was posted, the money goes back',
  'dispute-later': (_, { side }) => `${bankOf(side)} looked into the payment`,
};

/** Moves that people make and that time makes when they do not. */
const BY_ITSELF: Readonly<Record<string, readonly [byPeople: (who: string) => string, byTime: string]>> = {
  receive: [(who) => `${who} received it`, 'Nobody said otherwise: it counts as received'],
  'refund-problem': [(who) => `${who} gave the money back`, 'Nobody answered in time: the money goes back'],
  'ask-admin': [(who) => `${who} asked the shop to decide`, 'Nobody answered in time: the shop decides'],
  'keep-unreturned': [(who) => `${who} kept it`, 'It was not sent back in time: the sale stands'],
  'take-back': [(who) => `${who} had it back: the money goes back`, 'It counts as returned: the money goes back'],
};

/** A line of the timeline in words. */
export const eventWords = (event: OrderEvent, order: Order): string => {
  const who = whoOf(event, order);
  const either = BY_ITSELF[event.move];
  // A problem that the shop was asked about ends by itself only where it decided nothing.
  if (event.by === 'clock' && event.move === 'refund-problem' && order.events.some(({ move }) => move === 'ask-admin'))
    return 'We did not decide in time: the money goes back';
  if (event.by === 'admin' && event.move === 'keep-unreturned') return `${who} let the sale stand`;
  if (either !== undefined) return event.by === 'clock' ? either[1] : either[0](who);
  return SAYS[event.move]?.(who, order) ?? `${who} changed the order`;
};
