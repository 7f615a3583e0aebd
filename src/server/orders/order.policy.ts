import { dueAfter, isInReach, ORDER_DEADLINES, type DeadlineName } from '#contract/orders/deadlines.ts';
import type { OrderActor } from '#contract/orders/move.ts';
import type { OrderMoveId } from '#contract/orders/moves.ts';
import { mayMove, ORDER_MOVE_IDS, orderMove } from '#contract/orders/states.ts';
import { notFound, type AppError } from '#server/platform/errors.ts';
import type { SignedIn } from '#server/platform/viewer.ts';
import type { OrderClock } from './due.ts';
import type { Order } from './order.queries.ts';
import type { Problem } from '#server/orders/problems/problem.queries.ts';

const DAY_MS = 86_400_000;

export type Side = Extract<OrderActor, 'buyer' | 'seller' | 'admin'>;

/** 404: there is no such order, or it is somebody else's. */
export const noSuchOrder = (): AppError => notFound('There is no such order');

/** How somebody takes part in an order; undefined for whom it does not exist. */
export const sideOf = (
  viewer: SignedIn,
  { buyerId, sellerId }: Pick<Order, 'buyerId' | 'sellerId'>,
): Side | undefined => {
  if (viewer.userId === buyerId) return 'buyer';
  if (viewer.userId === sellerId) return 'seller';
  return viewer.isAdmin ? 'admin' : undefined;
};

/** Whether buyer and seller still see how to reach each other: until `reachDays` after its end. */
export const mayReach = ({ closedAt }: Pick<Order, 'closedAt'>, now: Date, reachDays: number): boolean =>
  isInReach(closedAt, now, reachDays);

const endOfWait = (from: Date, name: DeadlineName, clock: OrderClock): Date =>
  dueAfter(from, ORDER_DEADLINES[name].kind, clock.lengths[name], clock.calendar);

/** Whether a wait that began at `from` is not over. */
const isWithin = (from: Date, name: DeadlineName, { now, clock }: { now: Date; clock: OrderClock }): boolean =>
  now < endOfWait(from, name, clock);

/** Until when the buyer of a received order may complain; a seller's first sales are paid out later than that. */
export const complainBy = ({ enteredAt }: Pick<Order, 'enteredAt'>, clock: OrderClock): Date =>
  endOfWait(enteredAt, 'problem', clock);

/** Until when the buyer of a received order may withdraw; null where they may not. */
export const withdrawBy = ({ enteredAt, mayWithdraw }: Order, clock: OrderClock): Date | null =>
  mayWithdraw ? endOfWait(enteredAt, 'withdraw', clock) : null;

/** What about an order at a moment says what can be done with it. */
export interface OrderAt {
  readonly now: Date;
  /** How many of its books are not given back. */
  readonly standing: number;
  /** What of all that was paid is neither back nor on its way back, in cents. */
  readonly leftCents: number;
  readonly missingAfterDays: number;
  readonly problem: Pick<Problem, 'kind' | 'offerCents'> | undefined;
  /** The moves since it came into its state. */
  readonly made: ReadonlySet<string>;
  readonly clock: OrderClock;
}

/** Whether nobody can see where it is that did not come: there is nothing to settle, and the money goes back. */
const isUntraced = ({ tracking }: Order, { problem }: OrderAt): boolean =>
  problem?.kind === 'missing' && tracking === '';

/** As `mayInReturn`, of what came back unopened. */
const mayWithCameBack = (id: OrderMoveId, side: Side, isAsked: boolean): boolean => {
  switch (id) {
    case 'close-returned':
      return isAsked ? side !== 'seller' : side !== 'admin';
    case 'refund-problem':
      return isAsked;
    case 'keep-unreturned':
    case 'refund-part':
      return isAsked && side === 'admin';
    case 'ask-admin':
      return side === 'buyer';
    default:
      return false;
  }
};

/**
 * What may be done with a book on its way back. Either side may have the shop decide, the seller from when it was sent;
 * then admins do, and who would lose by it can still give in.
 */
const mayInReturn = (id: OrderMoveId, side: Side, made: OrderAt['made']): boolean => {
  const isAsked = made.has('ask-admin');
  if (made.has('come-back')) return mayWithCameBack(id, side, isAsked);
  const isSent = made.has('post-back') || made.has('arrive-back');
  switch (id) {
    case 'post-back':
      return !isSent;
    case 'arrive-back':
      return isSent;
    case 'take-back':
      return true;
    case 'keep-unreturned':
      return side === 'admin' ? isAsked : !isSent;
    case 'refund-problem':
      return isAsked || (side === 'seller' && !isSent);
    case 'refund-part':
      return isAsked && side === 'admin';
    case 'ask-admin':
      return side === 'buyer' || isSent;
    default:
      return false;
  }
};

/** What a side may do with an order at a moment. Who profits from its end later has no move that puts it off again. */
export const movesOf = (order: Order, side: Side, at: OrderAt): OrderMoveId[] =>
  ORDER_MOVE_IDS.filter((id) => {
    if (!mayMove(order.state, id, side, order.frozenBy)) return false;
    if (orderMove(id).from.length === 0) return false;
    if (orderMove(id).once === true && at.made.has(id)) return false;
    if (order.state === 'returning') return mayInReturn(id, side, at.made);
    switch (id) {
      case 'post':
        return order.delivery === 'post';
      case 'make-ready':
        return order.delivery === 'pickup';
      case 'take-out':
      case 'leave-out':
      case 'strike-out':
        return at.standing > 1;
      case 'wait-longer':
        return order.extendedAt === null;
      case 'report-missing':
        return (
          order.postedAt !== null &&
          at.now.getTime() >= order.postedAt.getTime() + at.missingAfterDays * DAY_MS &&
          (order.state === 'posted' || at.now < complainBy(order, at.clock))
        );
      case 'offer-part':
        return !at.made.has('ask-admin') && !isUntraced(order, at);
      case 'ask-admin':
        return !isUntraced(order, at);
      case 'ask-back':
        // What did not come is not sent back, and what the shop decides it decides.
        return !at.made.has('ask-admin') && at.problem?.kind !== 'missing';
      case 'refund-part':
        return side === 'admin' || at.problem?.offerCents != null;
      case 'report-problem':
        return at.now < complainBy(order, at.clock);
      case 'refund-later':
        return order.closedAt !== null && at.leftCents > 0 && isWithin(order.closedAt, 'refund', at);
      case 'cancel':
        return order.state === 'paid' || order.mayWithdraw;
      case 'withdraw': {
        const by = withdrawBy(order, at.clock);
        return by !== null && (order.state === 'posted' || at.now < by);
      }
      case 'cancel-uncollected':
        return !isWithin(order.enteredAt, 'uncollected', at);
      case 'cancel-unposted':
      case 'refund-order':
      case 'call-off':
        return false;
      default:
        return true;
    }
  });
