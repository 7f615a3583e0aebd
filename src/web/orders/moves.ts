import { formatDollars } from '#contract/money/money.ts';
import type { OrderMoveId } from '#contract/orders/moves.ts';
import { isPostageSpent, ORDER_MOVE_IDS } from '#contract/orders/states.ts';
import type { Order, OrderMoveRequest } from '#contract/orders/orders.ts';
import { phaseOf, type Phase } from './standing.ts';

/** What a move asks for beside itself. */
export type MoveField =
  | 'post'
  | 'pickup'
  | 'code'
  | 'reason'
  | 'book'
  | 'kind'
  | 'words'
  | 'amount'
  | 'why'
  | 'sendBack'
  | 'photos';

export interface MoveWords {
  /** On the button that makes it, or that opens its form. */
  readonly label: string;
  /** On the button of the dialog that asks first; absent: the same. */
  readonly confirms?: string;
  /** What it does, read before it is made. */
  readonly says: string;
  /** Once it is made. */
  readonly done: string;
  readonly fields: readonly MoveField[];
  /** What is sent beside what was typed: what the reader agrees to. */
  readonly sends: Omit<OrderMoveRequest, 'move'>;
  /** Whether a dialog asks first where it needs nothing. */
  readonly asks: boolean;
  readonly isDanger: boolean;
}

type Draft = Partial<Omit<MoveWords, 'label' | 'says' | 'done'>> & Pick<MoveWords, 'label' | 'says' | 'done'>;

const SELLER_BEARS = 'You bear the payment fee, and it counts in your record.';

const isSeveral = ({ books }: Order): boolean => books.length > 1;

const handOver = (order: Order): Draft => {
  if (order.side === 'seller') return { label: 'Hand over', says: '', done: 'Handed over', fields: ['code'] };
  return {
    label: order.side === 'buyer' ? 'I have it' : 'It was handed over',
    says:
      order.side === 'buyer'
        ? `If ${order.seller} cannot take the code, say yourself that you have the book. Not before you do.`
        : 'Only where buyer and seller both say so: the sale then counts as received.',
    done: 'Received',
    asks: order.side === 'admin',
  };
};

const refundWords = (order: Order): string => {
  if (order.side === 'admin') return 'All that was paid goes back to the buyer. The seller bears the payment fee.';
  const keeps = order.state === 'problem' || phaseOf(order) === 'to-post-back' ? ', who keeps it' : '';
  const what = order.problem?.bookingId == null ? 'the order' : 'the book';
  return `All that was paid for ${what} goes back to the buyer${keeps}. You bear the payment fee.`;
};

/** Of a parcel that came back; an admin's way to leave the postage with its seller. */
const closeReturned = (order: Order): Draft => {
  if (order.side === 'admin')
    return {
      label: 'Give the price back',
      says: 'The order is closed, and the price goes back to the buyer. The postage stays with the seller, who spent it, and the shop bears the payment fee.',
      done: 'The price goes back',
      asks: true,
      isDanger: true,
    };
  return {
    label: order.side === 'seller' ? 'Give the money back' : 'Have my money back',
    says: isPostageSpent(order)
      ? 'The order is closed, and the price goes back to the buyer. The postage does not: it is spent.'
      : 'The order is closed, and all of the money goes back to the buyer.',
    done: 'The money goes back',
    asks: true,
  };
};

const WITHDRAW = { label: 'Withdraw from the contract here', confirms: 'Confirm the withdrawal' } as const;

const WORDS: Partial<Record<OrderMoveId, (order: Order) => Draft>> = {
  post: () => ({ label: 'I have posted it', says: '', done: 'Posted', fields: ['post'] }),
  'make-ready': () => ({ label: 'Offer these times', says: '', done: 'Times offered', fields: ['pickup'] }),
  cancel: ({ mayWithdraw }) => ({
    ...(mayWithdraw ? WITHDRAW : { label: 'Cancel the order' }),
    says: mayWithdraw
      ? 'The order is cancelled without a reason, and all of your money goes back to your card. A dated receipt comes by mail.'
      : 'All of your money goes back to your card, and the book is for sale again. Only so many paid orders can be cancelled in a month.',
    done: 'Order cancelled',
    isDanger: true,
  }),
  refuse: () => ({
    label: 'I cannot sell it',
    says: `The order is cancelled and all of the money goes back to the buyer. ${SELLER_BEARS}`,
    done: 'Order cancelled',
    fields: ['reason'],
    isDanger: true,
  }),
  'take-out': () => ({
    label: 'Cancel one book',
    says: 'Its price goes back to your card. The others stay in the order.',
    done: 'Book cancelled',
    fields: ['book'],
    isDanger: true,
  }),
  'leave-out': () => ({
    label: 'I cannot sell one book',
    says: `Its price goes back to the buyer; the others stay in the order. ${SELLER_BEARS}`,
    done: 'Book taken out',
    fields: ['book', 'reason'],
    isDanger: true,
  }),
  'strike-out': () => ({
    label: 'Take out one book',
    says: 'Its price goes back to the buyer, and the shop bears the payment fee. The others stay in the order.',
    done: 'Book taken out',
    fields: ['book'],
    isDanger: true,
  }),
  'hand-over': handOver,
  'cancel-uncollected': () => ({
    label: 'Nobody picks it up',
    says: 'Ask both sides first. The order is cancelled, all of the money goes back to the buyer, the book is for sale again, and the shop bears the payment fee.',
    done: 'Order cancelled',
    asks: true,
    isDanger: true,
  }),
  receive: ({ seller }) => ({
    label: 'I have it',
    says: `Not before you hold it in your hands: ${seller} is paid some days later.`,
    done: 'Received',
  }),
  withdraw: ({ state }) => ({
    ...WITHDRAW,
    says: `You bought it of a business and may withdraw from the whole order without a reason. You send it back within 14 days${
      state === 'posted' ? ' of having it' : ''
    }, at your own cost; then all that you paid goes back, the postage to you included. A dated receipt comes by mail.`,
    done: 'You have withdrawn',
    asks: true,
    isDanger: true,
  }),
  'wait-longer': () => ({
    label: 'Not here yet',
    says: 'You have two weeks more to say whether it came. You can ask for that once.',
    done: 'Two weeks more',
  }),
  'report-missing': (order) => ({
    label: 'It did not come',
    says: `${order.seller} is asked what happened. Without an answer within some working days your money goes back.`,
    done: 'Reported',
    fields: isSeveral(order) ? ['book', 'words', 'photos'] : ['words', 'photos'],
  }),
  'report-problem': (order) => ({
    label: 'Report a problem',
    says: `${order.seller} is asked for an answer. You can agree on a part of the price, or we decide.`,
    done: 'Reported',
    fields: isSeveral(order) ? ['book', 'kind', 'words', 'photos'] : ['kind', 'words', 'photos'],
  }),
  'come-back': () => ({
    label: 'The parcel came back',
    says: 'Say so if the carrier brought it back to you. The order then closes and the money goes back to the buyer: without the postage where you gave a number and the address was wrong or nobody took it in, else all of it, and you bear the payment fee.',
    done: 'Noted: it came back',
    fields: ['why'],
  }),
  'refund-problem': (order) => ({
    label: 'Give the money back',
    says: refundWords(order),
    done: 'The money goes back',
    asks: true,
    isDanger: true,
  }),
  'offer-part': () => ({
    label: 'Offer a part back',
    says: 'If the buyer accepts, that much of the price goes back, and the rest is yours. Else we decide. Another offer does not give more time.',
    done: 'Offer sent',
    fields: ['amount'],
  }),
  'ask-admin': ({ state }) => ({
    label: 'Let the shop decide',
    says: `We read what both of you say, and decide: write it in the notes. ${
      state === 'problem' ? 'Until then nobody can offer anything else. ' : ''
    }You hear from us by mail.`,
    done: 'The shop decides',
  }),
  'refund-part': ({ side, problem }) =>
    side === 'buyer'
      ? {
          label: `Accept ${formatDollars(problem?.offer ?? 0)}`,
          says: 'So much goes back to your card, you keep the book, and the order is closed.',
          done: 'Offer accepted',
          sends: { amount: problem?.offer ?? 0 },
        }
      : {
          label: 'Give a part back',
          says: 'So much of the price goes back to the buyer, and the order is closed.',
          done: 'A part goes back',
          fields: ['amount'],
          isDanger: true,
        },
  keep: ({ side, seller }) => ({
    label: side === 'buyer' ? 'It is settled, I keep it' : 'The sale stands',
    says: `The order is closed, and the money goes to ${seller}.`,
    done: 'Settled',
  }),
  'ask-back': () => ({
    label: 'Ask for it back',
    says: 'The buyer sends it back, you pay its way, and their money goes back when you have it. If they do not send it within some days, the sale stands.',
    done: 'Asked for it back',
    fields: ['sendBack'],
  }),
  'post-back': () => ({
    label: 'I have sent it back',
    says: 'Keep the receipt until your money is back, and write the number of the parcel in a note.',
    done: 'Sent back',
  }),
  'arrive-back': (order) => ({
    label: 'The carrier says it arrived',
    says:
      phaseOf(order) === 'deciding'
        ? 'The seller reads it, and the shop, which decides.'
        : `${order.seller} has a week to look at it; then the money goes back.`,
    done: 'Noted: it arrived',
  }),
  'keep-unreturned': ({ side, seller }) => ({
    label: side === 'admin' ? 'The sale stands' : 'I keep it',
    says:
      side === 'admin'
        ? `The order is closed, and the money goes to ${seller}.`
        : `You keep the book, and the money goes to ${seller}.`,
    done: side === 'admin' ? 'Decided' : 'You keep it',
  }),
  'take-back': () => ({
    label: 'I have it back',
    says: 'The money goes back to the buyer, and the order is closed. You bear the payment fee.',
    done: 'The money goes back',
    asks: true,
  }),
  'close-returned': closeReturned,
  'refund-later': (order) => ({
    label: 'Give money back',
    says:
      order.side === 'seller'
        ? 'So much goes back to the buyer, out of what the shop owes you. You bear the payment fee.'
        : 'So much goes back to the buyer; the shop bears the payment fee.',
    done: 'The money goes back',
    fields: isSeveral(order) ? ['book', 'amount'] : ['amount'],
    isDanger: true,
  }),
};

const isMoveId = (id: string): id is OrderMoveId => ORDER_MOVE_IDS.some((one) => one === id);

/** What is said of a move; undefined for one that this page does not know. */
export const moveWords = (order: Order, id: string): MoveWords | undefined => {
  const draft = isMoveId(id) ? WORDS[id]?.(order) : undefined;
  return draft && { fields: [], sends: {}, asks: false, isDanger: false, ...draft };
};

type Main = Partial<Record<Phase, OrderMoveId>>;

const MAIN: Record<'buyer' | 'seller', (order: Order) => Main> = {
  buyer: () => ({
    posted: 'receive',
    ready: 'hand-over',
    offered: 'refund-part',
    'came-back': 'close-returned',
    'to-post-back': 'post-back',
  }),
  seller: ({ delivery }) => ({
    paid: delivery === 'post' ? 'post' : 'make-ready',
    ready: 'hand-over',
    asked: 'refund-problem',
    'came-back': 'close-returned',
    'on-way-back': 'take-back',
  }),
};

/** The one move that whoever looks is asked for now; undefined where they only wait. */
export const mainMoveOf = (order: Order): OrderMoveId | undefined => {
  if (order.side === 'admin' || order.frozen) return undefined;
  const move = MAIN[order.side](order)[phaseOf(order)];
  return move !== undefined && order.moves.includes(move) ? move : undefined;
};

/** What can be done beside it. */
export const otherMovesOf = (order: Order): OrderMoveId[] => {
  const main = mainMoveOf(order);
  return order.moves.filter(isMoveId).filter((id) => id !== main && moveWords(order, id) !== undefined);
};
