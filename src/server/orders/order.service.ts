import { dollarsOf } from '#contract/money/money.ts';
import type { Order as OrderView, OrderMoveRequest } from '#contract/orders/orders.ts';
import { movesInState } from '#contract/orders/states.ts';
import { listOrderPhotos } from '#server/catalog/photos/order-photos.service.ts';
import { retryOnContention } from '#server/platform/postgres/retry.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';
import { requireSignedIn, type SignedIn, type Viewer } from '#server/platform/viewer.ts';
import { lockWhole, moveLocked, orderMoved, type OrderRules } from './order-moves.service.ts';
import { complainBy, mayReach, movesOf, noSuchOrder, sideOf, withdrawBy, type OrderAt } from './order.policy.ts';
import { once } from '#server/bookings/idempotency.service.ts';
import { findOrder, readShopNow, type Order } from './order.queries.ts';
import {
  listOrderBooks,
  listOrderEvents,
  readParties,
  type OrderBookRow,
  type OrderEventRow,
} from './order-view.queries.ts';
import { findProblem } from '#server/orders/problems/problem.queries.ts';
import { checkCode, partsOf, wrongCode, type Made } from './asked-moves.service.ts';
import { countStanding, sum } from './standing-books.ts';

/** From when on a posted order may be called missing, in days. */
const missingAfter = ({ isAbroad }: Order, { clock }: OrderRules): number =>
  clock.lengths[isAbroad ? 'missingAbroad' : 'missing'];

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
