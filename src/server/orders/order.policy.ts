import { dueAfter, ORDER_DEADLINES, type DeadlineName } from '#contract/orders/deadlines.ts';
import type { OrderActor } from '#contract/orders/move.ts';
import type { OrderMoveId } from '#contract/orders/moves.ts';
import { mayMove, ORDER_MOVE_IDS, orderMove } from '#contract/orders/states.ts';
import { notFound, type AppError } from '#server/platform/errors.ts';
import type { SignedIn } from '#server/platform/viewer.ts';
import type { OrderClock } from './due.ts';
import type { Order } from './order.queries.ts';

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

const DAY_MS = 86_400_000;

/** Whether buyer and seller still see how to reach each other: until `reachDays` after its end. */
export const mayReach = ({ closedAt }: Pick<Order, 'closedAt'>, now: Date, reachDays: number): boolean =>
  closedAt === null || now.getTime() < closedAt.getTime() + reachDays * DAY_MS;

/** Whether a wait that began at `from` is not over. */
const isWithin = (from: Date, name: DeadlineName, { now, clock }: { now: Date; clock: OrderClock }): boolean =>
  now < dueAfter(from, ORDER_DEADLINES[name].kind, clock.lengths[name], clock.calendar);

/** What a side may do with an order at a moment; books are of one order, of which `standing` are not given back. */
export const movesOf = (
  order: Order,
  side: Side,
  at: { now: Date; standing: number; missingAfterDays: number; hasOffer: boolean; clock: OrderClock },
): OrderMoveId[] =>
  ORDER_MOVE_IDS.filter((id) => {
    if (!mayMove(order.state, id, side, order.frozenBy)) return false;
    if (orderMove(id).from.length === 0) return false;
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
          (order.state === 'posted' || isWithin(order.enteredAt, 'problem', at))
        );
      case 'refund-part':
        return side === 'admin' || at.hasOffer;
      // What came back unopened is settled in another way than what was asked back: the clock says which it is.
      case 'close-returned':
        return order.dueMove === 'close-returned';
      case 'post-back':
      case 'arrive-back':
      case 'keep-unreturned':
      case 'take-back':
        return order.dueMove !== 'close-returned';
      case 'report-problem':
        return isWithin(order.enteredAt, 'problem', at);
      case 'refund-later':
        return order.closedAt !== null && isWithin(order.closedAt, 'refund', at);
      // What is withdrawn from is a trader's sale, and nobody can say yet that they are one.
      case 'withdraw':
        return false;
      case 'cancel-unposted':
      case 'cancel-uncollected':
      case 'refund-order':
      case 'call-off':
        return false;
      default:
        return true;
    }
  });
