import type { PaymentDeps } from '#server/payments/payments.service.ts';
import { dollarsOf, parseCents } from '#contract/money/money.ts';
import {
  findBooking,
  findOpenBookingsAtPrice,
  holdRefused,
  lockBooking,
  lockBuyerHolds,
  priceChanged,
  takeOrRenewHold,
  type BookingFacts,
} from '#server/bookings/booking.service.ts';
import { retryOnContention } from '#server/platform/postgres/retry.ts';
import { crashPoint } from '#server/platform/crash-points.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { badFields, notFound, AppError } from '#server/platform/errors.ts';
import { requireBuyer, requireOwnAddress, type SignedIn, type Viewer } from '#server/platform/viewer.ts';
import { requireNotStopped } from './failure.service.ts';
import { findLiveIntent, insertNextIntent, moveIntent } from './intent.queries.ts';
import { askFor, type WrittenIntent } from './intent.service.ts';
import { findSale } from './payment.queries.ts';
import type { IntentFacts } from '#server/payments/provider.ts';
import { settle, takeFacts, type Settled } from '#server/payments/settlement/settle.service.ts';

/** What the provider calls an intent; anything else is not worth asking about, and might name another of its pages. */
const INTENT_ID = /^pi_\w{1,250}$/;

const alreadyPaid = (): AppError => new AppError('already_paid', 'This booking is paid already');
const notPaid = (): AppError => new AppError('not_paid', 'This payment does not pay for this booking');
const moneyReturned = (): AppError =>
  new AppError(
    'money_returned',
    'Someone else has this book now. Your payment came too late; it goes back to you in full by itself',
  );

const notKept = (settled: Exclude<Settled, { kind: 'sale' }>): AppError =>
  settled.kind === 'returned' ? moneyReturned() : notPaid();

const centsOf = (price: number | string): number => {
  const cents = parseCents(price);
  if (cents === undefined || cents === 0) throw badFields({ price: 'This is not a price' });
  return cents;
};

const requirePrice = (booking: BookingFacts, cents: number): void => {
  if (booking.priceCents !== cents) {
    throw priceChanged();
  }
};

const ownBooking = async (db: Db, buyer: SignedIn, id: string): Promise<BookingFacts> => {
  const booking = await findBooking(db, id);
  if (booking === undefined || booking.buyerId !== buyer.userId) throw notFound();
  return booking;
};

const bookingToPay = async (
  db: Db,
  buyer: SignedIn,
  input: { bookingId?: string | undefined; cents: number },
): Promise<BookingFacts> => {
  if (input.bookingId !== undefined) return ownBooking(db, buyer, input.bookingId);
  const [only, another] = await findOpenBookingsAtPrice(db, buyer.userId, input.cents);
  if (only === undefined || another !== undefined) {
    throw new AppError('booking_ambiguous', 'Say which booking is to be paid (bookingId)');
  }
  return ownBooking(db, buyer, only.id);
};

/**
 * Takes or renews the hold and writes down the intent, in one short transaction before the provider is asked. Who pays
 * names the price of the booking or, where it is lower now, that of the copy.
 */
const claimIntent = (
  deps: PaymentDeps,
  buyer: SignedIn,
  { bookingId, cents }: { bookingId: string; cents: number },
): Promise<WrittenIntent> =>
  deps.db.transaction().execute(async (trx) => {
    await lockBuyerHolds(trx, buyer.userId);
    const booking = await lockBooking(trx, bookingId);
    if (booking === undefined) throw notFound();
    if (booking.paidAt !== null) throw alreadyPaid();
    if (booking.cancelledAt !== null) throw new AppError('hold_lost', 'This booking was cancelled');
    const hold = await takeOrRenewHold(trx, {
      listingId: booking.listingId,
      bookingId: booking.id,
      buyerId: buyer.userId,
      minutes: deps.holdMinutes,
    });
    if (typeof hold === 'string') throw holdRefused(hold);
    if (cents !== booking.priceCents && cents !== hold.priceCents) throw priceChanged();
    const live = await findLiveIntent(trx, booking.id);
    const intent = live ?? (await insertNextIntent(trx, booking.id, hold.priceCents));
    return { ...intent, email: booking.buyerEmail };
  });

/**
 * What the browser needs to pay: the intent's client secret, and its id, by which the same answer can be given again.
 */
export interface IntentToPay {
  readonly clientSecret: string;
  readonly intentId: string;
  /** What is charged, in US dollars. */
  readonly price: number;
}

/**
 * The client secret of the booking's one live payment intent, of the amount the database knows. The same answer when
 * repeated; another intent only after the last one was cancelled at the provider. 409 when paid, lost, at another price
 * or not what was promised; 429 for a while after too many declined cards.
 */
export const createPaymentIntent = async (
  deps: PaymentDeps,
  viewer: Viewer,
  input: { price: number | string; bookingId?: string | undefined },
): Promise<IntentToPay> => {
  const buyer = requireBuyer(viewer);
  const cents = centsOf(input.price);
  const booking = await bookingToPay(deps.db, buyer, { bookingId: input.bookingId, cents });
  if (booking.paidAt !== null) throw alreadyPaid();
  await requireNotStopped(deps.db, buyer.userId);
  const claim = { bookingId: booking.id, cents };
  const intent = await claimIntent(deps, buyer, claim);
  const facts = await askFor(deps, intent);
  if (facts.status === 'succeeded') {
    const settled = await retryOnContention(() =>
      deps.db.transaction().execute((trx) => settle(trx, facts, deps.terms)),
    );
    tellOfStray(deps, settled, facts);
    if (settled.kind === 'sale') throw alreadyPaid();
    throw notKept(settled);
  }
  if (facts.status !== 'canceled') return toPay(facts);
  await moveIntent(deps.db, intent, 'cancelled');
  const next = await claimIntent(deps, buyer, claim);
  return toPay(await askFor(deps, next));
};

const toPay = ({ id, clientSecret, amountCents }: IntentFacts): IntentToPay => ({
  clientSecret,
  intentId: id,
  price: dollarsOf(amountCents),
});

/** The client secret of an intent that was answered before. */
export const recallPaymentIntent = async (deps: PaymentDeps, intentId: string): Promise<IntentToPay> => {
  const facts = await deps.provider.findIntent(intentId);
  if (facts === undefined) throw new AppError('hold_lost', 'This payment cannot go on; please begin it again');
  return toPay(facts);
};

/** Settles a booking if the provider says its intent succeeded; `null` while it is still processing; else 409. */
export const recordPayment = async (
  deps: PaymentDeps,
  viewer: Viewer,
  input: { price: number | string; transactionId: string; email: string; bookingId: string },
): Promise<{ insertedId: string | null }> => {
  crashPoint('payment-reported');
  const buyer = requireBuyer(viewer);
  requireOwnAddress(input.email, buyer);
  const cents = centsOf(input.price);
  const booking = await ownBooking(deps.db, buyer, input.bookingId);
  requirePrice(booking, cents);
  const sale = await findSale(deps.db, booking.id);
  if (sale?.providerId === input.transactionId) return { insertedId: sale.id };
  const facts = INTENT_ID.test(input.transactionId) ? await deps.provider.findIntent(input.transactionId) : undefined;
  if (facts === undefined || facts.bookingId !== booking.id) throw notPaid();
  if (facts.status === 'processing') {
    await retryOnContention(() => deps.db.transaction().execute((trx) => takeFacts(trx, facts, deps.terms)));
    return { insertedId: null };
  }
  if (facts.status !== 'succeeded') throw notPaid();
  const settled = await retryOnContention(() => deps.db.transaction().execute((trx) => settle(trx, facts, deps.terms)));
  tellOfStray(deps, settled, facts);
  if (settled.kind !== 'sale') throw notKept(settled);
  return { insertedId: settled.paymentId };
};

/** Money that could not be kept needs a user to know of it, once. */
export const tellOfStray = (deps: PaymentDeps, settled: Settled, { id, bookingId }: IntentFacts): void => {
  if (settled.kind === 'returned' && settled.isNew) {
    deps.alert('money came for a lost copy and goes back', { intentId: id, bookingId });
  }
  if (settled.kind === 'unfit' && settled.why !== 'not-ours') {
    deps.alert('money came that fits no intent of ours', { intentId: id, bookingId, why: settled.why });
  }
};
