import { dollarsOf, formatDollars, parseCents } from '#contract/money/money.ts';
import type { Order as OrderView, OrderMoveRequest } from '#contract/orders/orders.ts';
import { CAME_BACK_WORDS, movesInState } from '#contract/orders/states.ts';
import type { OrderMoveId } from '#contract/orders/moves.ts';
import { giveOrderPhotos, listOrderPhotos } from '#server/catalog/photos/order-photos.service.ts';
import { returnAddressOf } from '#server/law/declaring.service.ts';
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
import {
  complainBy,
  mayReach,
  movesOf,
  noSuchOrder,
  sideOf,
  withdrawBy,
  type OrderAt,
  type Side,
} from './order.policy.ts';
import { once } from '#server/bookings/idempotency.service.ts';
import {
  countCancelled,
  countWrongCode,
  findOrder,
  isCodeOfAnother,
  lockCancelling,
  readShopNow,
  type Order,
} from './order.queries.ts';
import {
  listOrderBooks,
  listOrderEvents,
  readParties,
  type OrderBookRow,
  type OrderEventRow,
} from './order-view.queries.ts';
import { findProblem, insertProblem, setOffer, setSendBack } from '#server/orders/problems/problem.queries.ts';

/** From when on a posted order may be called missing, in days. */
const missingAfter = ({ isAbroad }: Order, { clock }: OrderRules): number =>
  clock.lengths[isAbroad ? 'missingAbroad' : 'missing'];

/** How many books of an order are not given back, nor on their way to be. */
const countStanding = (books: readonly OrderBookRow[]): number =>
  books.filter((book) => book.refundedCents + book.refundingCents < book.priceCents).length;

const sum = (cents: readonly number[]): number => cents.reduce((all, each) => all + each, 0);

/** By what it is known which moves an order takes now. */
const at = (seen: {
  order: Order;
  rules: OrderRules;
  books: readonly OrderBookRow[];
  events: readonly OrderEventRow[];
  problem: OrderAt['problem'];
  now: Date;
}): OrderAt => {
  const { order, rules, books, events, problem, now } = seen;
  const paidCents = sum(books.map(({ priceCents }) => priceCents)) + order.postageCents;
  return {
    now,
    standing: countStanding(books),
    leftCents: paidCents - sum(books.map(({ refundingCents, refundedCents }) => refundingCents + refundedCents)),
    missingAfterDays: missingAfter(order, rules),
    problem,
    made: movesInState(order.state, events),
    clock: rules.clock,
  };
};

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
    books: books.map(({ priceCents, postageCents, refundingCents, refundedCents, photos, terms, hash, ...book }) => ({
      ...book,
      photos: [...photos],
      promise: terms === null || hash === null ? null : { hash: hash.toString('hex'), terms },
      price: dollarsOf(priceCents),
      postage: dollarsOf(postageCents),
      refunding: dollarsOf(refundingCents),
      refunded: dollarsOf(refundedCents),
    })),
    postage: dollarsOf(order.postageCents),
    total: dollarsOf(sum(books.map(({ priceCents }) => priceCents)) + order.postageCents),
    buyer: parties.buyer,
    seller: parties.seller,
    sellerSlug: parties.sellerSlug,
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
            statement: problem.statement,
            words: problem.words,
            offer: problem.offerCents === null ? null : dollarsOf(problem.offerCents),
            sendBack: canReach || side !== 'buyer' ? (problem.sendBack ?? '') : '',
            photos: await listOrderPhotos(db, id),
          },
    cameBack: order.cameBack,
    due: dueAt === null || dueMove === null ? null : { move: dueMove, at: dueAt.toISOString() },
    complainBy: order.state === 'received' ? complainBy(order, rules.clock).toISOString() : null,
    mayWithdraw: order.mayWithdraw,
    withdrawBy: order.state === 'received' ? (withdrawBy(order, rules.clock)?.toISOString() ?? null) : null,
    moves: movesOf(order, side, at({ order, rules, books, events, problem, now })),
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
  readonly books: readonly OrderBookRow[];
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

const wrongCode = (left: number): AppError =>
  new AppError(
    'wrong_code',
    left > 0
      ? `This is not the code of this order. ${left === 1 ? 'One try is' : `${left} tries are`} left`
      : 'Too many wrong codes: the buyer can still say on the order’s page that they have the book',
  );

const otherCode = (): AppError =>
  new AppError('wrong_code', 'This is the code of another of your orders: please look which book it is for');

const amountOf = ({ input }: Asked): number => {
  const cents = input.amount === undefined ? undefined : parseCents(input.amount);
  if (cents === undefined || cents === 0) throw badFields({ amount: 'Please say how much' });
  return cents;
};

/** Thrown where a buyer takes an offer that was made before the last one. */
const otherOffer = (cents: number): AppError =>
  new AppError('order_moved', `The seller has changed the offer: it is ${formatDollars(dollarsOf(cents))} now`);

const bookOf = ({ input, books }: Asked): OrderBookRow => {
  const book = books.find(({ bookingId }) => bookingId === input.bookingId);
  if (book === undefined) throw badFields({ bookingId: 'Please say which book' });
  return book;
};

/** A book of the order whose price is not given back yet. */
const standingBookOf = (asked: Asked): string => {
  const book = bookOf(asked);
  if (countStanding([book]) === 0) {
    throw new AppError('order_moved', 'This book is out of the order: what was paid for it goes back, or is back');
  }
  return book.bookingId;
};

/** What of the prices of books is neither back nor on its way back, in cents. */
const leftOf = (books: readonly OrderBookRow[]): number =>
  sum(
    books.map(({ priceCents, refundingCents, refundedCents }) =>
      Math.max(0, priceCents - refundingCents - refundedCents),
    ),
  );

/** 429 for whoever has called off as many paid orders as may be in a month; taking books out of one counts once. */
const requireMayCancel = async ({ trx, rules, locked: { order } }: Asked): Promise<void> => {
  // Who may withdraw by law may do so as often as they like.
  if (order.mayWithdraw) return;
  await lockCancelling(trx, order.buyerId);
  if ((await countCancelled(trx, order.buyerId, order.id)) < rules.cancels) return;
  throw new AppError('too_many', `You have cancelled ${rules.cancels} paid orders this month: please ask the seller`, {
    retryAfterSeconds: 86_400,
  });
};

type Parts = Omit<Move, 'id' | 'by' | 'userId'>;

/** What a move needs beside its id, checked and written down; what it gives back is the move's to say. */
const partsOf = async (asked: Asked, id: OrderMoveId): Promise<Parts> => {
  const { trx, locked, side, input, user } = asked;
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
      return { reason, ...(id === 'leave-out' && { bookingId: standingBookOf(asked) }) };
    }
    case 'cancel':
      await requireMayCancel(asked);
      return { reason };
    case 'take-out':
      await requireMayCancel(asked);
      return { reason, bookingId: standingBookOf(asked) };
    case 'strike-out':
      return { reason, bookingId: standingBookOf(asked) };
    case 'report-missing':
    case 'report-problem': {
      const { words = '' } = needed({ words: [input.words, 'Please say what is wrong'] });
      const bookingId = input.bookingId === undefined && bookingIds.length > 1 ? null : (input.bookingId ?? null);
      if (bookingId !== null) standingBookOf(asked);
      const kind = id === 'report-missing' ? 'missing' : (input.kind ?? 'not-as-described');
      const statement = kind === 'not-as-described' ? (input.statement ?? null) : null;
      await insertProblem(trx, order.id, { bookingId, kind, statement, words });
      await giveOrderPhotos(trx, { orderId: order.id, ownerId: user.userId, ids: input.photos ?? [] });
      return { reason: words.slice(0, 1_000) };
    }
    case 'withdraw': {
      const sendBack = (await returnAddressOf(trx, order.sellerId)) ?? '';
      await insertProblem(trx, order.id, { bookingId: null, kind: 'withdrawal', statement: null, words: reason });
      if (sendBack !== '') await setSendBack(trx, order.id, sendBack);
      return { reason };
    }
    case 'offer-part': {
      const cents = amountOf(asked);
      const about = (await findProblem(trx, order.id))?.bookingId ?? undefined;
      if (cents > leftOf(asked.books.filter(({ bookingId }) => about === undefined || bookingId === about))) {
        throw new AppError('refund_refused', 'That is more than is left of the payment');
      }
      await setOffer(trx, order.id, cents);
      return { reason };
    }
    case 'ask-back': {
      const { sendBack = '' } = needed({
        sendBack: [input.sendBack, 'Please say how it is sent back at your cost, and the address it goes to'],
      });
      await setSendBack(trx, order.id, sendBack);
      return { reason };
    }
    case 'refund-part': {
      const problem = await findProblem(trx, order.id);
      const cents = amountOf(asked);
      if (side === 'buyer' && cents !== problem?.offerCents) throw otherOffer(problem?.offerCents ?? 0);
      return { reason, cents, bookingId: problem?.bookingId ?? undefined };
    }
    case 'refund-later':
      return {
        reason,
        cents: amountOf(asked),
        bookingId: bookingIds.length === 1 ? bookingIds[0] : bookOf(asked).bookingId,
        borneBy: side === 'seller' ? 'seller' : 'shop',
      };
    default:
      return { reason };
  }
};

/** What became of a move: what the order is then, or that the code was wrong and how many tries are left. */
type Made = { readonly state: string } | { readonly wrongCodeLeft: number };

/** Checks the buyer's code; undefined where it is right. Another order's code is a mistake, and not counted. */
const checkCode = async ({ trx, locked: { order }, input }: Asked): Promise<Made | undefined> => {
  const code = input.code?.replace(/\D/g, '') ?? '';
  if (code === '') throw badFields({ code: 'Please type the six digits that the buyer shows you' });
  const left = MOST_CODES - order.codeFailures;
  if (left <= 0) throw wrongCode(0);
  if (code === order.pickupCode) return undefined;
  // Whoever hands several books over may well mix them up.
  if (await isCodeOfAnother(trx, order, code)) throw otherCode();
  await countWrongCode(trx, order.id);
  return { wrongCodeLeft: left - 1 };
};

/** Makes a move of a locked order, if whoever asks may. */
const moveAsked = async (
  trx: Trx,
  rules: OrderRules,
  user: SignedIn,
  { id, input }: { id: string; input: OrderMoveRequest },
): Promise<Made> => {
  const locked = await lockWhole(trx, id);
  const { order } = locked;
  const side = sideOf(user, order);
  if (side === undefined) throw noSuchOrder();
  const books = await listOrderBooks(trx, id);
  const [events, problem] = [await listOrderEvents(trx, id), await findProblem(trx, id)];
  const now = await readShopNow(trx);
  const move = movesOf(order, side, at({ order, rules, books, events, problem, now })).find(
    (each) => each === input.move,
  );
  if (move === undefined) throw orderMoved(order);
  const asked = { trx, rules, locked, books, side, user, input };
  const wrong = move === 'hand-over' && side === 'seller' ? await checkCode(asked) : undefined;
  if (wrong !== undefined) return wrong;
  await moveLocked(trx, rules, locked, { ...(await partsOf(asked, move)), id: move, by: side, userId: user.userId });
  return { state: (await findOrder(trx, id))?.state ?? order.state };
};

/**
 * Makes a move of an order for whoever asks, with a key once; what the order does not take is 409. A wrong code is
 * counted before it is told.
 */
export const moveOrder = async (
  db: Db,
  rules: OrderRules,
  viewer: Viewer,
  { id, input, idempotencyKey: key }: { id: string; input: OrderMoveRequest; idempotencyKey: string | undefined },
): Promise<{ state: string }> => {
  const user = requireSignedIn(viewer);
  const seen = await findOrder(db, id);
  if (seen === undefined || sideOf(user, seen) === undefined) throw noSuchOrder();
  const request = { userId: user.userId, operation: 'POST /orders/:id/moves', key, body: { id, input } };
  const made = await retryOnContention(() =>
    once<undefined, Made>(db, request, {
      look: () => Promise.resolve(undefined),
      work: (trx) => moveAsked(trx, rules, user, { id, input }),
    }),
  );
  if ('wrongCodeLeft' in made) throw wrongCode(made.wrongCodeLeft);
  return made;
};
