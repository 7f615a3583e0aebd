import { dollarsOf, parseCents } from '#contract/money/money.ts';
import type { Order as OrderView, OrderMoveRequest } from '#contract/orders/orders.ts';
import { CAME_BACK_WORDS } from '#contract/orders/states.ts';
import type { OrderMoveId } from '#contract/orders/moves.ts';
import { retryOnContention } from '#server/platform/postgres/retry.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';
import { AppError, badFields } from '#server/platform/errors.ts';
import { requireSignedIn, type SignedIn, type Viewer } from '#server/platform/viewer.ts';
import {
  lockWhole,
  moveLocked,
  orderMoved,
  type LockedOrder,
  type Move,
  type OrderRules,
} from './order-moves.service.ts';
import { mayReach, movesOf, noSuchOrder, sideOf, type Side } from './order.policy.ts';
import { countCancelled, countWrongCode, findOrder, readShopNow, type Order } from './order.queries.ts';
import { listOrderBooks, listOrderEvents, readParties, type OrderBookRow } from './order-view.queries.ts';
import { findProblem, insertProblem, setOffer } from './problem.queries.ts';

/** From when on a posted order may be called missing, in days. */
const missingAfter = ({ isAbroad }: Order, { clock }: OrderRules): number =>
  clock.lengths[isAbroad ? 'missingAbroad' : 'missing'];

/** How many books of an order are not given back, nor on their way to be. */
const countStanding = (books: readonly OrderBookRow[]): number =>
  books.filter((book) => book.refundedCents + book.refundingCents < book.priceCents).length;

const sum = (cents: readonly number[]): number => cents.reduce((all, each) => all + each, 0);

/** An order for its buyer, its seller or an admin; for anyone else it does not exist. */
export const readOrder = async (db: Db, rules: OrderRules, viewer: Viewer, id: string): Promise<OrderView> => {
  const user = requireSignedIn(viewer);
  const order = await findOrder(db, id);
  const side = order && sideOf(user, order);
  if (order === undefined || side === undefined) throw noSuchOrder();
  const [books, events, parties, problem, now] = await Promise.all([
    listOrderBooks(db, id),
    listOrderEvents(db, id),
    readParties(db, id),
    findProblem(db, id),
    readShopNow(db),
  ]);
  const standing = countStanding(books);
  const hasOffer = problem?.offerCents != null;
  const canReach = mayReach(order, now, rules.reachDays);
  const phone = side === 'buyer' ? parties.sellerPhone : parties.buyerPhone;
  const { dueAt, dueMove } = order;
  return {
    _id: order.id,
    side,
    state: order.state,
    outcome: order.outcome ?? '',
    frozen: order.frozenBy !== null,
    inquiry: order.frozenBy === 'inquiry',
    delivery: order.delivery,
    books: books.map(({ priceCents, refundingCents, refundedCents, ...book }) => ({
      ...book,
      price: dollarsOf(priceCents),
      refunding: dollarsOf(refundingCents),
      refunded: dollarsOf(refundedCents),
    })),
    postage: dollarsOf(order.postageCents),
    total: dollarsOf(sum(books.map(({ priceCents }) => priceCents)) + order.postageCents),
    buyer: parties.buyer,
    seller: parties.seller,
    phone: canReach ? phone : '',
    address: canReach || side !== 'seller' ? order.address : null,
    place: canReach ? order.place : '',
    times: order.pickupTimes,
    carrier: order.carrier,
    tracking: order.tracking,
    code: side === 'buyer' && order.state === 'ready' ? (order.pickupCode ?? '') : '',
    problem:
      problem === undefined
        ? null
        : {
            kind: problem.kind,
            bookingId: problem.bookingId,
            words: problem.words,
            offer: problem.offerCents === null ? null : dollarsOf(problem.offerCents),
          },
    cameBack: order.cameBack,
    due: dueAt === null || dueMove === null ? null : { move: dueMove, at: dueAt.toISOString() },
    moves: movesOf(order, side, {
      now,
      standing,
      missingAfterDays: missingAfter(order, rules),
      hasOffer,
      clock: rules.clock,
    }),
    mayWrite: canReach && side !== 'admin',
    paidAt: order.createdAt.toISOString(),
    events: events.map((event) => ({ ...event, at: event.at.toISOString() })),
  };
};

/** What somebody wants, once it is known who they are. */
interface Asked {
  readonly trx: Trx;
  readonly rules: OrderRules;
  readonly locked: LockedOrder;
  readonly side: Side;
  readonly user: SignedIn;
  readonly input: OrderMoveRequest;
}

const needed = (fields: Record<string, [value: string | undefined, message: string]>): Record<string, string> => {
  const given: Record<string, string> = {};
  const missing: Record<string, string> = {};
  for (const [name, [value, message]] of Object.entries(fields)) {
    const text = value?.trim() ?? '';
    if (text === '') missing[name] = message;
    given[name] = text;
  }
  if (Object.keys(missing).length > 0) throw badFields(missing);
  return given;
};

/** Wrong codes that an order takes; then its buyer, or an admin, says that it was handed over. */
const MOST_CODES = 5;

/** Thrown out of the transaction once the wrong code is counted. */
const wrongCode = (left: number): AppError =>
  new AppError(
    'wrong_code',
    left > 0
      ? `This is not the code of this order. ${left === 1 ? 'One try is' : `${left} tries are`} left`
      : 'Too many wrong codes: the buyer can still say on the order’s page that they have the book',
  );

const amountOf = ({ input }: Asked): number => {
  const cents = input.amount === undefined ? undefined : parseCents(input.amount);
  if (cents === undefined || cents === 0) throw badFields({ amount: 'Please say how much' });
  return cents;
};

const bookOf = ({ input, locked }: Asked): string => {
  const { bookingId } = input;
  if (bookingId === undefined || !locked.bookingIds.includes(bookingId)) {
    throw badFields({ bookingId: 'Please say which book' });
  }
  return bookingId;
};

type Parts = Omit<Move, 'id' | 'by' | 'userId'>;

/** What a move needs beside its id, checked and written down; what it gives back is the move's to say. */
const partsOf = async (asked: Asked, id: OrderMoveId): Promise<Parts> => {
  const { trx, rules, locked, side, input } = asked;
  const { order, bookingIds } = locked;
  const reason = input.reason?.trim() ?? '';
  switch (id) {
    case 'post': {
      const [carrier, tracking] = [input.carrier?.trim() ?? '', input.tracking?.trim() ?? ''];
      if (tracking !== '' && carrier === '') throw badFields({ carrier: 'Please say who carries the parcel' });
      return { details: { carrier, tracking } };
    }
    case 'come-back': {
      const { why } = input;
      if (why === undefined) throw badFields({ why: 'Please say why it came back' });
      return { reason: CAME_BACK_WORDS[why], details: { cameBack: why } };
    }
    case 'make-ready': {
      const { place = '', pickupTimes = '' } = needed({
        place: [input.place ?? order.place, 'Please say where the book can be picked up'],
        pickupTimes: [input.times, 'Please offer two times'],
      });
      return { details: { place, pickupTimes } };
    }
    case 'refuse':
    case 'leave-out': {
      needed({ reason: [reason, 'Please tell the buyer why'] });
      return { reason, ...(id === 'leave-out' && { bookingId: bookOf(asked) }) };
    }
    case 'cancel':
      if ((await countCancelled(trx, order.buyerId)) >= rules.cancels) {
        throw new AppError(
          'too_many',
          `You have cancelled ${rules.cancels} paid orders this month: please ask the seller`,
          {
            retryAfterSeconds: 86_400,
          },
        );
      }
      return { reason };
    case 'take-out':
    case 'strike-out':
      return { reason, bookingId: bookOf(asked) };
    case 'report-missing':
    case 'report-problem': {
      const { words = '' } = needed({ words: [input.words, 'Please say what is wrong'] });
      const bookingId = input.bookingId === undefined && bookingIds.length > 1 ? null : (input.bookingId ?? null);
      if (bookingId !== null) bookOf(asked);
      const kind = id === 'report-missing' ? 'missing' : (input.kind ?? 'not-as-described');
      await insertProblem(trx, order.id, { bookingId, kind, words });
      return { reason: words.slice(0, 1_000) };
    }
    case 'offer-part':
      await setOffer(trx, order.id, amountOf(asked));
      return { reason };
    case 'refund-part': {
      const problem = await findProblem(trx, order.id);
      const cents = side === 'admin' ? amountOf(asked) : problem?.offerCents;
      if (cents == null) throw orderMoved(order);
      return { reason, cents, bookingId: problem?.bookingId ?? bookingIds[0] };
    }
    case 'refund-later':
      return {
        reason,
        cents: amountOf(asked),
        bookingId: bookingIds.length === 1 ? bookingIds[0] : bookOf(asked),
        borneBy: side === 'seller' ? 'seller' : 'shop',
      };
    default:
      return { reason };
  }
};

/** Makes a move of an order for whoever asks, as often as it is asked; what the order does not take is 409. */
export const moveOrder = async (
  db: Db,
  rules: OrderRules,
  viewer: Viewer,
  { id, input }: { id: string; input: OrderMoveRequest },
): Promise<{ state: string }> => {
  const user = requireSignedIn(viewer);
  const seen = await findOrder(db, id);
  if (seen === undefined || sideOf(user, seen) === undefined) throw noSuchOrder();
  const outcome = await retryOnContention(() =>
    db.transaction().execute(async (trx): Promise<AppError | undefined> => {
      const locked = await lockWhole(trx, id);
      const { order } = locked;
      const side = sideOf(user, order);
      if (side === undefined) throw noSuchOrder();
      const books = await listOrderBooks(trx, id);
      const moves = movesOf(order, side, {
        now: await readShopNow(trx),
        standing: countStanding(books),
        missingAfterDays: missingAfter(order, rules),
        hasOffer: (await findProblem(trx, id))?.offerCents != null,
        clock: rules.clock,
      });
      const move = moves.find((each) => each === input.move);
      if (move === undefined) throw orderMoved(order);
      if (move === 'hand-over' && side === 'seller') {
        const left = MOST_CODES - order.codeFailures;
        if (left <= 0) return wrongCode(0);
        if (input.code?.replace(/\D/g, '') !== order.pickupCode) {
          await countWrongCode(trx, id);
          return wrongCode(left - 1);
        }
      }
      const parts = await partsOf({ trx, rules, locked, side, user, input }, move);
      await moveLocked(trx, rules, locked, { ...parts, id: move, by: side, userId: user.userId });
      return undefined;
    }),
  );
  if (outcome !== undefined) throw outcome;
  const now = await findOrder(db, id);
  return { state: now?.state ?? seen.state };
};
