import type { Order } from '#contract/orders/orders.ts';
import { outcomeWords } from '#contract/orders/order-row.ts';
import { isPostageSpent, movesInState } from '#contract/orders/states.ts';

/** Where an order stands, more closely than its state: what is due says how far a problem or a way back is. */
export type Phase =
  | Exclude<Order['state'], 'problem' | 'returning'>
  | 'asked'
  | 'offered'
  | 'deciding'
  | 'came-back'
  | 'to-post-back'
  | 'on-way-back';

type Seen = Pick<Order, 'state' | 'due' | 'problem' | 'events'>;

/** The phase of an order; one that stands still has no deadline, so that its timeline tells. */
export const phaseOf = (order: Seen): Phase => {
  const { state, events, problem } = order;
  if (state !== 'problem' && state !== 'returning') return state;
  const made = movesInState(state, events);
  if (made.has('ask-admin')) return 'deciding';
  if (state === 'problem') return problem?.offer == null ? 'asked' : 'offered';
  if (made.has('come-back')) return 'came-back';
  return made.has('post-back') || made.has('arrive-back') ? 'on-way-back' : 'to-post-back';
};

const HEADINGS: Record<Phase, (order: Pick<Order, 'side' | 'delivery' | 'outcome' | 'problem'>) => string> = {
  paid: ({ side, delivery }) => {
    if (delivery === 'post') return side === 'seller' ? 'Paid: please post it' : 'Paid, waiting to be posted';
    return side === 'seller' ? 'Paid: please offer times' : 'Paid, waiting for times to pick it up';
  },
  posted: ({ side }) => (side === 'buyer' ? 'On its way to you' : 'Posted, on its way'),
  ready: ({ side }) => (side === 'buyer' ? 'Ready for you to pick up' : 'Ready to be picked up'),
  received: () => 'Received',
  asked: ({ problem }) => (problem?.kind === 'missing' ? 'It did not come' : 'There is a problem'),
  offered: ({ side }) => (side === 'buyer' ? 'You have an offer' : 'Part of the price is offered back'),
  deciding: ({ side }) => (side === 'admin' ? 'Yours to decide' : 'We are deciding'),
  'came-back': () => 'The parcel came back',
  'to-post-back': ({ side }) => (side === 'buyer' ? 'Please send it back' : 'To be sent back'),
  'on-way-back': ({ side }) => (side === 'seller' ? 'On its way back to you' : 'On its way back'),
  closed: ({ outcome, side }) => outcomeWords(outcome, side),
  cancelled: ({ outcome, side }) => outcomeWords(outcome, side),
};

/** The state of an order in words, as whoever looks at it should take it. */
export const headingOf = (order: Order): string =>
  order.frozen ? 'Stopped by the bank' : HEADINGS[phaseOf(order)](order);

type Party = 'buyer' | 'seller' | 'admin';
type Words = (
  order: Pick<
    Order,
    'buyer' | 'seller' | 'delivery' | 'problem' | 'place' | 'times' | 'tracking' | 'cameBack' | 'due' | 'complainBy'
  >,
) => string;
type Steps = Record<Party, Words>;

/** The first sales of a seller are paid out later than their buyers may complain. */
const endsBefore = ({ due, complainBy }: Pick<Order, 'due' | 'complainBy'>): boolean =>
  due !== null && complainBy !== null && Date.parse(complainBy) < Date.parse(due.at);

const same = (words: Words): Steps => ({ buyer: words, seller: words, admin: words });
const nothing = same(() => '');

/** What goes back of a parcel that came back. */
const backWords = (order: Pick<Order, 'cameBack' | 'tracking'>): string =>
  isPostageSpent(order) ? 'the price goes back, without the spent postage,' : 'the money goes back';

/** Nobody can see where it is that did not come: its seller has nothing to show. */
const isUntraced = ({ problem, tracking }: Pick<Order, 'problem' | 'tracking'>): boolean =>
  problem?.kind === 'missing' && tracking === '';

/** What to do, by when, and what else happens; `{at}` is the deadline. An admin reads what both sides wait for. */
const STEPS: Record<Phase, Steps> = {
  paid: {
    seller: ({ delivery }) =>
      delivery === 'post'
        ? 'Post by {at}. Else we cancel the order, the money goes back and you bear the payment fee.'
        : 'Say where, and offer two times, by {at}. Else we cancel the order, the money goes back and you bear the payment fee.',
    buyer: ({ seller, delivery }) =>
      `There is nothing to do for you. ${seller} has until {at} to ${
        delivery === 'post' ? 'post it' : 'offer times to pick it up'
      }. Else we cancel the order and all of your money goes back.`,
    admin: ({ seller, delivery }) =>
      `${seller} has until {at} to ${
        delivery === 'post' ? 'post it' : 'offer times'
      }. Else the order is cancelled and the money goes back.`,
  },
  posted: {
    buyer: () => 'Tell us when you have it. If we hear nothing until {at}, we take it as received.',
    seller: ({ buyer }) =>
      `There is nothing to do for you. ${buyer} says when it is there; if nothing is heard until {at}, it counts as received.`,
    admin: () => 'It counts as received at {at}, unless its buyer says something else.',
  },
  ready: {
    buyer: () =>
      'Pick it up by {at} and show this code when you have the book in your hands. Else the order is cancelled and your money goes back.',
    seller: () =>
      'Ask for the buyer’s code when you hand the book over: it makes the sale final. If nobody comes until {at}, the order is cancelled and the book goes back on the shelf.',
    admin: () => 'It is to be picked up by {at}. Else the order is cancelled and the money goes back.',
  },
  received: {
    buyer: (order) =>
      endsBefore(order)
        ? `Look it over. At {at} the money goes to ${order.seller}.`
        : `Look it over. If something is wrong, say so by {at}; after that the money goes to ${order.seller}.`,
    seller: (order) =>
      endsBefore(order)
        ? 'There is nothing to do for you. The money is yours on {at}.'
        : `There is nothing to do for you. The money is yours on {at}, unless ${order.buyer} reports a problem before.`,
    admin: () => 'It closes at {at}, unless its buyer reports a problem.',
  },
  asked: {
    buyer: (order) =>
      isUntraced(order)
        ? 'It was sent without a number: all of your money for it goes back on {at} at the latest. If it comes after all, please say so.'
        : `${order.seller} has until {at} to answer. If they do not, all of your money for it goes back.`,
    seller: (order) =>
      isUntraced(order)
        ? 'It was sent without a number, so that nobody can see where it is: the money goes back to the buyer on {at}, or now, and you bear the payment fee.'
        : 'Answer by {at}. Without an answer all of the money goes back to the buyer, and you bear the payment fee.',
    admin: ({ seller }) => `${seller} has until {at} to answer. Else the money goes back.`,
  },
  offered: {
    buyer: () => 'Answer by {at}. Else we look at both sides and decide.',
    seller: ({ buyer }) => `${buyer} has until {at} to answer your offer. Else we look at both sides and decide.`,
    admin: ({ buyer }) => `${buyer} has until {at} to answer the offer. Else you decide.`,
  },
  deciding: {
    buyer: () => 'We look at both sides and write to you. If nothing is decided until {at}, your money goes back.',
    seller: () =>
      'We look at both sides and write to you. If nothing is decided until {at}, the money goes back to the buyer.',
    admin: () => 'Decide by {at}. Else the money goes back to the buyer.',
  },
  'came-back': {
    buyer: (order) =>
      `The parcel is back with ${order.seller}. At {at} the order is closed and ${backWords(order)} to you; you can have that now. If it is not so, let us decide.`,
    seller: (order) => `At {at} the order is closed and ${backWords(order)} to the buyer; you can do that now.`,
    admin: (order) => `At {at} the order is closed and ${backWords(order)} to the buyer.`,
  },
  'to-post-back': {
    buyer: ({ seller, problem }) =>
      problem?.kind === 'withdrawal'
        ? `You have withdrawn from the contract. Send it back by {at}, at your own cost, and say so here; then all that you paid goes back. Else you keep it and the money goes to ${seller}.`
        : `Send it back by {at}, as ${seller} says below, who pays its way. Else you keep it and the money goes to ${seller}. If it cannot be sent so, let us decide.`,
    seller: ({ buyer, problem }) =>
      `${problem?.kind === 'withdrawal' ? `${buyer} has withdrawn from the contract, as the law lets them. They have` : `${buyer} has`} until {at} to send it back. Else they keep it, and the money is yours.`,
    admin: ({ buyer }) => `${buyer} has until {at} to send it back. Else the sale stands.`,
  },
  'on-way-back': {
    buyer: ({ seller }) =>
      `When ${seller} has it, your money goes back. If we hear nothing until {at}, it goes back all the same.`,
    seller: () =>
      'Say when you have it: then the money goes back. If we hear nothing until {at}, it goes back all the same. If it does not come, or is not as you sent it, let us decide.',
    admin: () => 'At {at} it counts as returned, and the money goes back.',
  },
  closed: nothing,
  cancelled: nothing,
};

/** The bank merely asks. */
const INQUIRY: Steps = {
  buyer: () =>
    'Your bank asks about this payment, and has taken no money. The order stands still until that is over; we write to you.',
  seller: () =>
    'The buyer’s bank asks about this payment, and has taken no money. The order stands still until that is over, unless you end it by giving all of the money back.',
  admin: () => 'The buyer’s bank asks about this payment; the order stands still until that is over.',
};

const FROZEN: Steps = {
  buyer: () =>
    'Your bank is looking into this payment. Nothing can be done here until it has decided; then the order goes on or ends, and we write to you.',
  seller: () =>
    'The buyer’s bank is looking into this payment. Nothing can be done here until it has decided; then the order goes on or ends, and we write to you.',
  admin: () => 'The buyer’s bank is looking into this payment; the order stands still until it has decided.',
};

/** What is not to be posted while a bank may take the money. */
const DO_NOT_POST = 'Please do not post it.';
const DO_NOT_HAND_OVER = 'Please do not hand it over.';

const frozenStep = (order: Order): string => {
  const says = (order.inquiry ? INQUIRY : FROZEN)[order.side](order);
  if (order.side !== 'seller' || (order.state !== 'paid' && order.state !== 'ready')) return says;
  return `${order.delivery === 'post' ? DO_NOT_POST : DO_NOT_HAND_OVER} ${says}`;
};

/** The seller's doing: all of the money goes back, and it costs them. */
const AT_FAULT: ReadonlySet<string> = new Set(['not-posted', 'cancelled-by-seller']);

const ENDED: Record<Party, (isRefunded: boolean, order: Order) => string> = {
  buyer: (isRefunded) => (isRefunded ? 'Banks take up to ten days to show money that goes back.' : ''),
  seller: (isRefunded, { outcome }) => {
    if (AT_FAULT.has(outcome)) return 'All of the money goes back. The payment fee that you bear is on your statement.';
    return isRefunded ? 'What you receive of it is on your statement.' : 'What you receive is on your statement.';
  },
  admin: () => '',
};

/** What to do now, by when (`{at}`) and what else happens; empty where there is nothing to say. */
export const stepOf = (order: Order): string => {
  if (order.frozen) return frozenStep(order);
  if (order.state === 'closed' || order.state === 'cancelled') {
    return ENDED[order.side](
      order.books.some(({ refunding, refunded }) => refunding + refunded > 0),
      order,
    );
  }
  return STEPS[phaseOf(order)][order.side](order);
};

/** What may still be done by `complainBy` (`{at}`); empty where what is due says it, or it is over. */
export const complaintOf = (order: Order): string => {
  if (order.frozen || !endsBefore(order) || (order.side === 'buyer' && !order.moves.includes('report-problem')))
    return '';
  if (order.side === 'buyer') return 'If something is wrong, say so by {at}.';
  return `${order.buyer} may report a problem until {at}.`;
};
