import { relistSoldCopy, withdrawSoldCopy } from '#server/catalog/listings/listing.service.ts';
import { findBooking, lockBookings, markRefunded, mayBecome } from '#server/bookings/booking.service.ts';
import type { Trx } from '#server/platform/postgres/db.ts';
import type { MoneyHooks, Purchase } from '#server/payments/payments.service.ts';
import { leftOfBookings } from '#server/payments/refunds/order-refund.service.ts';
import { mayMove, orderMove, type FrozenBy } from '#contract/orders/states.ts';
import type { OrderMoveId } from '#contract/orders/moves.ts';
import { dueNext, isNext } from './due.ts';
import { lockWhole, moveLocked, type LockedOrder, type Move, type OrderRules } from './order-moves.service.ts';
import { findTakingOut } from './cancelling.queries.ts';
import { insertOrder, listOrderIds, readShopNow, type Order } from './order.queries.ts';

/** Begins the order of what was just paid for. */
const begin = async (trx: Trx, rules: OrderRules, purchase: Purchase): Promise<void> => {
  const { due } = orderMove('settle');
  if (!isNext(due)) throw new Error('an order begins with a deadline');
  const now = await readShopNow(trx);
  const { dueAt, dueMove, reminders } = dueNext(
    now,
    due,
    purchase,
    { isAbroad: false, isNewSeller: false, mayWithdraw: false, isOnItsWay: false },
    rules.clock,
  );
  await insertOrder(
    trx,
    { ...purchase, dueAt, dueMove },
    {
      bookingIds: purchase.bookingIds,
      reminders,
      event: { orderId: purchase.id, move: 'settle', from: null, to: 'paid', by: 'settle', userId: null, reason: '' },
    },
  );
};

/** Makes the first of these moves that the order takes; nothing where it takes none. */
const moveIfMay = async (
  trx: Trx,
  rules: OrderRules,
  locked: LockedOrder,
  moves: readonly (Omit<Move, 'id'> & { readonly id: OrderMoveId })[],
): Promise<void> => {
  const { order } = locked;
  const move = moves.find(({ id, by }) => mayMove(order.state, id, by, order.frozenBy));
  if (move !== undefined) await moveLocked(trx, rules, locked, move);
};

/** Ends an order of which nothing is left to its seller: all of it was given back by somebody else. */
const endIfEmpty = async (
  trx: Trx,
  rules: OrderRules,
  bookingId: string,
  by: 'admin' | 'bank',
  userId: string | null,
): Promise<void> => {
  const [orderId] = await listOrderIds(trx, [bookingId]);
  if (orderId === undefined) return;
  const locked = await lockWhole(trx, orderId);
  const left = await leftOfBookings(trx, locked.bookingIds);
  if ([...left.values()].some(({ priceCents, postageCents }) => priceCents + postageCents > 0)) return;
  await moveIfMay(trx, rules, locked, [
    { id: 'call-off', by, userId },
    { id: 'refund-order', by, userId },
  ]);
};

/** Whose book it was not to begin with, or who kept it: then it is theirs to sell again. */
const RELISTED: ReadonlySet<string> = new Set(['cancelled-by-buyer', 'not-collected']);
/** Who did not send it has it no more, or does not answer: the shop does not offer it again by itself. */
const WITHDRAWN: ReadonlySet<string> = new Set(['cancelled-by-seller', 'not-posted']);

/** A bank ended it before anything was posted: its seller still has the books. */
const isLostUnposted = ({ state, outcome }: Order): boolean => state === 'cancelled' && outcome === 'lost';

/**
 * The money of a book is back: whoever took it out of its parcel, or how its order was cancelled, says what becomes of
 * the copy. Else an admin decides.
 */
const decideCopy = async (trx: Trx, bookingId: string): Promise<void> => {
  const booking = await findBooking(trx, bookingId);
  const [orderId] = await listOrderIds(trx, [bookingId]);
  if (booking === undefined || orderId === undefined) return;
  const { order } = await lockWhole(trx, orderId);
  const takenOutBy = await findTakingOut(trx, { orderId, bookingId });
  const outcome = order.outcome ?? '';
  const isKnown = takenOutBy === undefined;
  if (takenOutBy === 'take-out' || (isKnown && (RELISTED.has(outcome) || isLostUnposted(order))))
    await relistSoldCopy(trx, booking.listingId);
  if (takenOutBy === 'leave-out' || (isKnown && WITHDRAWN.has(outcome))) await withdrawSoldCopy(trx, booking.listingId);
};

/** A bank gave its customer all of a book's payment back: of one that was never posted the sale is over. */
const endLostSale = async (trx: Trx, bookingId: string): Promise<void> => {
  const [orderId] = await listOrderIds(trx, [bookingId]);
  if (orderId === undefined) return;
  const { order } = await lockWhole(trx, orderId);
  const [booking] = await lockBookings(trx, [bookingId]);
  if (booking === undefined || !isLostUnposted(order) || !mayBecome(booking, 'refunded')) return;
  await markRefunded(trx, bookingId);
  await relistSoldCopy(trx, booking.listingId);
};

const bank = { by: 'bank', userId: null } as const;

/** What a bank's decision makes of an order. One that ended by a loss is won on appeal. */
const movesOnDecision = (
  { outcome }: Order,
  { won, isInquiry }: { won: boolean; isInquiry: boolean },
): readonly OrderMoveId[] => {
  if (!won) return ['lose-unposted', 'lose', 'lose-later'];
  if (outcome === 'lost') return ['win-appeal', 'win-unposted'];
  return isInquiry ? ['thaw'] : ['thaw', 'win-later'];
};

/** What orders make of money that moved; `app.ts` hands it to payments. */
export const orderHooks = (rules: OrderRules): MoneyHooks => {
  const moveAll = async (
    trx: Trx,
    bookingIds: readonly string[],
    idsOf: (order: Order) => readonly OrderMoveId[],
    frozenBy: FrozenBy = 'dispute',
  ): Promise<void> => {
    for (const orderId of await listOrderIds(trx, bookingIds)) {
      const locked = await lockWhole(trx, orderId);
      await moveIfMay(
        trx,
        rules,
        locked,
        idsOf(locked.order).map((id) => ({ id, ...bank, frozenBy })),
      );
    }
  };
  return {
    settled: (trx, purchase) => begin(trx, rules, purchase),
    refundAsked: (trx, { bookingId, by }) => endIfEmpty(trx, rules, bookingId, 'admin', by),
    refunded: async (trx, { bookingId }) => {
      await endIfEmpty(trx, rules, bookingId, 'bank', null);
      await decideCopy(trx, bookingId);
    },
    disputed: (trx, { bookingIds, isInquiry }) =>
      moveAll(trx, bookingIds, () => ['freeze', 'dispute-later'], isInquiry ? 'inquiry' : 'dispute'),
    disputeClosed: async (trx, { bookingIds, lostIds, ...decision }) => {
      await moveAll(trx, bookingIds, (order) => movesOnDecision(order, decision));
      for (const bookingId of lostIds) await endLostSale(trx, bookingId);
    },
  };
};
