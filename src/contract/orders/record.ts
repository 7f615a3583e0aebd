import { dueAfter, ORDER_DEADLINES, type ShopCalendar } from './deadlines.ts';
import type { OrderMoveId } from './moves.ts';
import { ORDER_MOVE_IDS, orderMove } from './states.ts';

/** What became of a seller's orders, in numbers: how many came, and of how many which is true. */
export interface SellerRecord {
  /** That came to their buyers. */
  readonly orders: number;
  readonly posted: number;
  readonly postedInTime: number;
  /** Refused by the seller, or not sent. */
  readonly cancelled: number;
  /** Complaints after which money went back. */
  readonly upheld: number;
  /** In which the buyer wrote. */
  readonly asked: number;
  /** Of those: in which the seller answered within a day. */
  readonly answered: number;
}

export const EMPTY_RECORD: SellerRecord = {
  orders: 0,
  posted: 0,
  postedInTime: 0,
  cancelled: 0,
  upheld: 0,
  asked: 0,
  answered: 0,
};

/** An order with all that its end is known by: its moves, the first one first, and when who wrote. */
export interface EndedOrder {
  readonly createdAt: Date;
  readonly daysToPost: number;
  readonly events: readonly { readonly move: string; readonly state: string; readonly at: Date }[];
  readonly notes: readonly { readonly by: 'buyer' | 'seller'; readonly at: Date }[];
}

const ANSWER_MS = 86_400_000;

const CAME = new Set(['completed', 'kept', 'refunded', 'part-refunded', 'came-back']);
const SELLERS_FAULT = new Set(['cancelled-by-seller', 'not-posted']);
const MONEY_BACK = new Set(['refunded', 'part-refunded']);

const outcomeOf = (move: string): string => {
  const id = ORDER_MOVE_IDS.find((each): each is OrderMoveId => each === move);
  return (id && orderMove(id).outcome) ?? '';
};

/** Whether the buyer's first words were answered in time; undefined where there were none for long enough. */
const answerTo = (notes: EndedOrder['notes'], end: Date): boolean | undefined => {
  const asked = notes.find(({ by, at }) => by === 'buyer' && at <= end);
  if (asked === undefined) return undefined;
  const until = asked.at.getTime() + ANSWER_MS;
  const isAnswered = notes.some(
    ({ by, at }) => by === 'seller' && at >= asked.at && at <= end && at.getTime() <= until,
  );
  return isAnswered || end.getTime() >= until ? isAnswered : undefined;
};

/**
 * What an order adds to its seller's record once it is over; nothing where it ended by the buyer, a bank or the shop.
 * What happens to it after its end changes nothing, so that the record of all orders is the same whenever it is made.
 */
export const recordOfOrder = (order: EndedOrder, calendar: ShopCalendar): SellerRecord => {
  const last = order.events.findIndex(({ state }) => state === 'closed' || state === 'cancelled');
  const end = order.events[last];
  if (end === undefined) return EMPTY_RECORD;
  const made = order.events.slice(0, last + 1);
  const outcome = outcomeOf(end.move);
  const isCancelled = SELLERS_FAULT.has(outcome);
  const hasCome = end.state === 'closed' && CAME.has(outcome);
  if (!isCancelled && !hasCome) return EMPTY_RECORD;
  const posted = made.find(({ move }) => move === 'post');
  const promised = dueAfter(order.createdAt, ORDER_DEADLINES.promise.kind, order.daysToPost, calendar);
  const isComplaint = made.some(({ move }) => move === 'report-problem' || move === 'report-missing');
  const answer = answerTo(order.notes, end.at);
  return {
    orders: hasCome ? 1 : 0,
    posted: posted === undefined ? 0 : 1,
    postedInTime: posted !== undefined && posted.at <= promised ? 1 : 0,
    cancelled: isCancelled ? 1 : 0,
    upheld: isComplaint && MONEY_BACK.has(outcome) ? 1 : 0,
    asked: answer === undefined ? 0 : 1,
    answered: answer === true ? 1 : 0,
  };
};

/** The record of all of these orders together. */
export const recordOfOrders = (orders: readonly EndedOrder[], calendar: ShopCalendar): SellerRecord =>
  orders
    .map((order) => recordOfOrder(order, calendar))
    .reduce(
      (sum, one) => ({
        orders: sum.orders + one.orders,
        posted: sum.posted + one.posted,
        postedInTime: sum.postedInTime + one.postedInTime,
        cancelled: sum.cancelled + one.cancelled,
        upheld: sum.upheld + one.upheld,
        asked: sum.asked + one.asked,
        answered: sum.answered + one.answered,
      }),
      EMPTY_RECORD,
    );
