import { randomInt } from 'node:crypto';
import type { OrderActor, OrderState } from '#contract/orders/move.ts';
import type { OrderMoveId } from '#contract/orders/moves.ts';
import {
  isPostageSpent,
  mayMove,
  movesInState,
  orderMove,
  stateAfter,
  type FrozenBy,
} from '#contract/orders/states.ts';
import { lockBookings } from '#server/bookings/booking.service.ts';
import { postRelease } from '#server/ledger/sale-postings.service.ts';
import { crashPoint } from '#server/platform/crash-points.ts';
import type { Trx } from '#server/platform/postgres/db.ts';
import { AppError, notFound } from '#server/platform/errors.ts';
import { giveBack, leftOfBookings, listUndisputed } from '#server/payments/refunds/order-refund.service.ts';
import { dueAgain, dueNext, isNext, remindersAgain, type OrderClock } from './due.ts';
import { addEndedOrder } from './record/record.service.ts';
import { mailReview } from './reviews/review-mails.service.ts';
import { mailMove } from '#server/orders/mails/order-mails.service.ts';
import {
  countCompleted,
  insertEvent,
  listBookingIds,
  lockOrder,
  readShopNow,
  updateOrder,
  type Order,
  type OrderChange,
} from './order.queries.ts';
import { putOffWith, setReminders } from './order-due.queries.ts';
import { listOrderEvents } from './order-view.queries.ts';
import { findProblem } from '#server/orders/problems/problem.queries.ts';

/** What every service of this module is given beside the database. */
export interface OrderRules {
  readonly clock: OrderClock;
  /** How many paid orders a buyer may cancel in 30 days. */
  readonly cancels: number;
  /** For how many days after its end each side sees how to reach the other. */
  readonly reachDays: number;
}

/** A move that somebody wants to make. */
export interface Move {
  readonly id: OrderMoveId;
  readonly by: OrderActor;
  readonly userId: string | null;
  readonly reason?: string;
  readonly details?: OrderChange['details'];
  /** The book it is about, where it is not all of the order. */
  readonly bookingId?: string | undefined;
  /** How much of the price goes back, in cents; absent: all that is left. */
  readonly cents?: number | undefined;
  readonly borneBy?: 'shop' | 'seller';
  /** Why the order stands still from now on; absent: for a dispute. */
  readonly frozenBy?: FrozenBy;
}

/** An order with its bookings, nobody else changing either. */
export interface LockedOrder {
  readonly order: Order;
  readonly bookingIds: readonly string[];
}

/** Locks the bookings of an order, then the order: whoever moves one does so in this order. */
export const lockWhole = async (trx: Trx, orderId: string): Promise<LockedOrder> => {
  const bookingIds = await listBookingIds(trx, orderId);
  await lockBookings(trx, bookingIds);
  const order = await lockOrder(trx, orderId);
  if (order === undefined) throw notFound('There is no such order');
  return { order, bookingIds };
};

const STATE_SAYS: Record<OrderState, string> = {
  paid: 'it is paid and not on its way yet',
  posted: 'it is posted',
  ready: 'it is ready to be picked up',
  received: 'it is received',
  problem: 'a problem is being settled',
  returning: 'it is on its way back',
  closed: 'it is closed',
  cancelled: 'it is cancelled',
};

/** 409 for a move that the order does not take now, with what it is. */
export const orderMoved = ({ state, frozenBy }: Order): AppError =>
  new AppError(
    'order_moved',
    frozenBy === null
      ? `This cannot be done with the order any more: ${STATE_SAYS[state]}`
      : 'The buyer’s bank is looking into this payment: the order stands still until it has decided',
  );

interface Moving extends LockedOrder {
  readonly trx: Trx;
  readonly rules: OrderRules;
  readonly move: Move;
}

/** Which books a move gives back: the one it names, the one that is complained about, or all. */
const booksOf = async ({ trx, order, bookingIds, move }: Moving): Promise<readonly string[]> => {
  if (move.bookingId !== undefined) return [move.bookingId];
  const problem =
    order.state === 'problem' || order.state === 'returning' ? await findProblem(trx, order.id) : undefined;
  return problem?.bookingId == null ? bookingIds : [problem.bookingId];
};

/**
 * Who bears the fee of what a move gives back, and whether the postage stays with the seller, who has spent it. A
 * parcel came back by its buyer's doing, else by its seller's; of one of before nobody knows.
 */
const termsOf = ({ order, move }: Moving): { borneBy: 'shop' | 'seller'; keepsPostage: boolean } => {
  if (move.id === 'close-returned' && (order.cameBack !== null || move.by === 'admin')) {
    const keepsPostage = move.by === 'admin' || isPostageSpent(order);
    return { borneBy: keepsPostage ? 'shop' : 'seller', keepsPostage };
  }
  return { borneBy: move.borneBy ?? orderMove(move.id).borneBy?.[0] ?? 'shop', keepsPostage: false };
};

/** Gives back what the move says, and with the last book of an order its postage; answers the cents. */
const refund = async (moving: Moving): Promise<number> => {
  const { trx, order, bookingIds, move } = moving;
  const books = await booksOf(moving);
  const left = await leftOfBookings(trx, bookingIds);
  const { borneBy, keepsPostage } = termsOf(moving);
  const staying = bookingIds.filter((id) => !books.includes(id) && (left.get(id)?.priceCents ?? 0) > 0);
  const isPart = move.cents !== undefined;
  const withPostage = !isPart && staying.length === 0 && !keepsPostage;
  let rest = move.cents ?? Infinity;
  const take = (cents: number): number => {
    const taken = Math.min(rest, cents);
    rest -= taken;
    return taken;
  };
  const parts = bookingIds.map((bookingId) => {
    const { priceCents, postageCents } = left.get(bookingId) ?? { priceCents: 0, postageCents: 0 };
    return {
      bookingId,
      priceCents: books.includes(bookingId) ? take(priceCents) : 0,
      postageCents: withPostage ? postageCents : 0,
      borneBy,
    };
  });
  // Of a closed order the postage may be given back, too, once nothing is left of the price.
  if (move.id === 'refund-later') {
    for (const part of parts)
      if (books.includes(part.bookingId)) part.postageCents = take(left.get(part.bookingId)?.postageCents ?? 0);
  }
  if (isPart && rest > 0) throw new AppError('refund_refused', 'That is more than is left of the payment');
  // What a bank has paid back is not given back by anybody else.
  const free = order.frozenBy === 'dispute' ? await listUndisputed(trx, bookingIds) : bookingIds;
  return giveBack(
    trx,
    parts.filter(({ bookingId }) => free.includes(bookingId)),
  );
};

/** The deadline that a move leaves behind. */
const dueOf = async (
  moving: Moving,
  now: Date,
): Promise<
  Pick<OrderChange, 'dueAt' | 'dueMove' | 'frozenBy' | 'frozenLeftMs'> & {
    reminders?: readonly { kind: string; at: Date }[];
  }
> => {
  const { trx, order, rules, move } = moving;
  const { due, to } = orderMove(move.id);
  if (isNext(due)) {
    if (to === 'same' && move.by !== 'clock') {
      // Nobody puts an end off by doing the same again, nor once the shop has been asked to decide.
      const made = movesInState(order.state, await listOrderEvents(trx, order.id));
      if (made.has(move.id) || made.has('ask-admin')) return {};
    }
    // Whose buyers have not said themselves that the book is there waits longer for the first sales' money.
    const isNewSeller = move.by === 'clock' && (await countCompleted(trx, order.sellerId)) < 3;
    return dueNext(
      now,
      due,
      order,
      {
        isAbroad: order.isAbroad,
        isNewSeller,
        mayWithdraw: order.mayWithdraw,
        isOnItsWay: order.state === 'posted',
      },
      rules.clock,
    );
  }
  switch (due) {
    case 'unchanged':
      return {};
    case 'longer': {
      const days = rules.clock.lengths.notHereYet;
      const dueAt = new Date((order.dueAt ?? now).getTime() + days * 86_400_000);
      const { due: first } = orderMove('post');
      return { dueAt, dueMove: order.dueMove, reminders: isNext(first) ? remindersAgain(first, dueAt) : [] };
    }
    case 'stopped':
      return {
        dueAt: null,
        frozenBy: move.frozenBy ?? 'dispute',
        // Where an inquiry stopped it already, its rest is what it was then.
        frozenLeftMs: order.frozenLeftMs ?? Math.max(0, (order.dueAt ?? now).getTime() - now.getTime()),
      };
    case 'rest': {
      const dueAt = dueAgain(now, order.frozenLeftMs ?? 0, rules.clock);
      await putOffWith(trx, order.id, dueAt);
      return { dueAt, frozenBy: null };
    }
    case 'none':
      return { dueAt: null, dueMove: null, frozenBy: null, reminders: [] };
    default:
      return due satisfies never;
  }
};

const MOST_CODE = 1_000_000;

/** Six digits that only the buyer is shown. */
const newCode = (): string => String(randomInt(MOST_CODE)).padStart(6, '0');

/**
 * Makes a move of a locked order: its state, deadline and reminders, its posting and refund, its line in the timeline
 * and its mails, all in this transaction. 409 `order_moved` where the order does not take it any more.
 */
export const moveLocked = async (trx: Trx, rules: OrderRules, locked: LockedOrder, move: Move): Promise<void> => {
  const { order, bookingIds } = locked;
  const rule = orderMove(move.id);
  if (!mayMove(order.state, move.id, move.by, order.frozenBy)) throw orderMoved(order);
  const moving = { trx, rules, move, order, bookingIds };
  const now = await readShopNow(trx);
  const to = stateAfter(order.state, move.id);
  const { reminders, ...due } = await dueOf(moving, now);
  const cents = rule.posts.includes('refund') || rule.posts.includes('part-refund') ? await refund(moving) : 0;
  const isOver = to !== order.state && (to === 'closed' || to === 'cancelled');
  await updateOrder(trx, order.id, {
    state: to,
    ...due,
    ...(rule.outcome !== undefined && { outcome: rule.outcome }),
    isEntered: to !== order.state,
    isOver,
    details: move.id === 'make-ready' ? { ...move.details, pickupCode: newCode() } : move.details,
    isPosted: move.id === 'post',
    isExtended: move.id === 'wait-longer',
  });
  if (reminders !== undefined) await setReminders(trx, order.id, reminders);
  const [bookingId] = bookingIds;
  // Of a cancelled order something is pending only where a bank gave back what was refunded elsewhere meanwhile.
  if (isOver && bookingId !== undefined) {
    await postRelease(trx, { id: order.id, bookingId, sellerId: order.sellerId });
  }
  const event = {
    orderId: order.id,
    move: move.id,
    from: order.state,
    to,
    by: move.by,
    userId: move.userId,
    reason: move.reason ?? '',
    bookingId: move.bookingId,
  };
  const eventId = await insertEvent(trx, event);
  await mailMove(trx, { orderId: order.id, eventId, move, to: rule.mails, cents });
  if (isOver) await addEndedOrder(trx, { orderId: order.id, sellerId: order.sellerId }, rules.clock.calendar);
  if (isOver && to === 'closed')
    await mailReview(trx, { orderId: order.id, side: 'buyer', key: 'asked', about: 'asked' });
  crashPoint('order-moved');
};

/** As `moveLocked`, for an order that is not locked yet. */
export const makeMove = async (trx: Trx, rules: OrderRules, orderId: string, move: Move): Promise<void> =>
  moveLocked(trx, rules, await lockWhole(trx, orderId), move);
