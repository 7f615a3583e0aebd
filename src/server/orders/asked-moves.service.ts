import { dollarsOf, formatDollars, parseCents } from '#contract/money/money.ts';
import type { OrderMoveRequest } from '#contract/orders/orders.ts';
import { CAME_BACK_WORDS } from '#contract/orders/states.ts';
import type { OrderMoveId } from '#contract/orders/moves.ts';
import { giveOrderPhotos } from '#server/catalog/photos/order-photos.service.ts';
import { returnAddressOf } from '#server/law/declaring.service.ts';
import type { Trx } from '#server/platform/postgres/db.ts';
import { AppError, badFields } from '#server/platform/errors.ts';
import type { SignedIn } from '#server/platform/viewer.ts';
import type { LockedOrder, Move, OrderRules } from './order-moves.service.ts';
import type { Side } from './order.policy.ts';
import { countCancelled, lockCancelling } from './cancelling.queries.ts';
import { countWrongCode, isCodeOfAnother } from './pickup-code.queries.ts';
import type { OrderBookRow } from './order-view.queries.ts';
import { findProblem, insertProblem, setOffer, setSendBack } from '#server/orders/problems/problem.queries.ts';
import { countStanding, sum } from './standing-books.ts';

/** What somebody wants, once it is known who they are. */
export interface Asked {
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

export const wrongCode = (left: number): AppError =>
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
export const partsOf = async (asked: Asked, id: OrderMoveId): Promise<Parts> => {
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
export type Made = { readonly state: string } | { readonly wrongCodeLeft: number };

/** Checks the buyer's code; undefined where it is right. Another order's code is a mistake, and not counted. */
export const checkCode = async ({ trx, locked: { order }, input }: Asked): Promise<Made | undefined> => {
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
