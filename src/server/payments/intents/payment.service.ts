import type { Address } from '#contract/delivery/address.ts';
import { findCheckout, insertCheckout } from '#server/payments/checkouts/checkout.queries.ts';
import { isSame, planCheckout, type DeliveryWish } from '#server/payments/checkouts/checkout.service.ts';
import type { PaymentDeps } from '#server/payments/payments.service.ts';
import { dollarsOf, parseCents } from '#contract/money/money.ts';
import {
  findBooking,
  findOpenBookingsAtPrice,
  holdRefused,
  lockBookings,
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
import { findIntent, findLiveIntents, insertNextIntent, moveIntent, withEmails } from './intent.queries.ts';
import { askFor, cancelIntent, type WrittenIntent } from './intent.service.ts';
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

/** What a buyer wants to pay at once, and how they get it. */
interface Wish {
  /** The first is the one whose price was named. */
  readonly bookingIds: readonly [string, ...string[]];
  readonly cents: number;
  /** Undefined where nothing was said: as it stands, or the first way that the seller offers. */
  readonly delivery: DeliveryWish | undefined;
}

/** An intent to pay with, or those that must be cancelled first because they are for something else. */
type Claimed = { readonly intent: WrittenIntent } | { readonly others: readonly WrittenIntent[] };

const requireOpen = ({ paidAt, cancelledAt }: BookingFacts): void => {
  if (paidAt !== null) throw alreadyPaid();
  if (cancelledAt !== null) throw new AppError('hold_lost', 'This booking was cancelled');
};

/**
 * Takes or renews the holds and writes down the intent, in one short transaction before the provider is asked. Who pays
 * names the price of the booking or, where it is lower now, that of the copy. The earliest end of the holds counts.
 */
const claimIntent = (deps: PaymentDeps, buyer: SignedIn, wish: Wish): Promise<Claimed> =>
  deps.db.transaction().execute(async (trx) => {
    await lockBuyerHolds(trx, buyer.userId);
    const locked = await lockBookings(trx, wish.bookingIds);
    if (locked.length !== wish.bookingIds.length) throw notFound();
    if (locked.some(({ buyerId }) => buyerId !== buyer.userId)) throw notFound();
    locked.forEach(requireOpen);
    const prices = new Map<string, number>();
    // Two who want the same copies lock them in the same order.
    for (const booking of locked.toSorted((a, b) => (a.listingId < b.listingId ? -1 : 1))) {
      const { id: bookingId, listingId, buyerId } = booking;
      const hold = await takeOrRenewHold(trx, { listingId, bookingId, buyerId, minutes: deps.holdMinutes });
      if (typeof hold === 'string') throw holdRefused(hold);
      prices.set(bookingId, hold.priceCents);
    }
    const [named] = wish.bookingIds;
    const booked = locked.find(({ id }) => id === named)?.priceCents;
    if (wish.cents !== booked && wish.cents !== prices.get(named)) throw priceChanged();
    const live = await findLiveIntents(trx, wish.bookingIds);
    const email = locked.find(({ id }) => id === live[0]?.bookingId)?.buyerEmail;
    const [only] = live;
    const standing = only && live.length === 1 ? await findCheckout(trx, only.checkoutId) : undefined;
    const checkout = await planCheckout(trx, buyer.userId, { ...wish, prices, standing });
    if (only !== undefined && email !== undefined && standing !== undefined && isSame(standing, checkout)) {
      return { intent: { ...only, email } };
    }
    if (live.length > 0) return { others: await withEmails(trx, live) };
    const [first] = checkout.bookings;
    if (first === undefined) throw notFound();
    const checkoutId = await insertCheckout(trx, checkout);
    const amountCents = checkout.bookings.reduce((sum, each) => sum + each.priceCents + each.postageCents, 0);
    const intent = await insertNextIntent(trx, { bookingId: first.bookingId, checkoutId, amountCents });
    return { intent: { ...intent, email: locked.find(({ id }) => id === first.bookingId)?.buyerEmail ?? '' } };
  });

/** Somebody changes what they pay for faster than the provider cancels. */
const MOST_CLAIMS = 4;

/**
 * As `claimIntent`; intents for something else are cancelled at the provider first, and one of them that succeeded
 * meanwhile is settled.
 */
const claim = async (deps: PaymentDeps, buyer: SignedIn, wish: Wish): Promise<WrittenIntent> => {
  for (let tries = 0; tries < MOST_CLAIMS; tries += 1) {
    const claimed = await claimIntent(deps, buyer, wish);
    if ('intent' in claimed) return claimed.intent;
    for (const other of claimed.others) {
      const facts = await cancelIntent(deps, other);
      const taken = await retryOnContention(() => deps.db.transaction().execute((trx) => takeFacts(trx, facts, deps)));
      if (facts.status === 'processing') {
        throw new AppError('request_in_progress', 'A payment of this is just being decided; look again in a moment');
      }
      if (taken.kind === 'sale') throw alreadyPaid();
    }
  }
  throw new AppError('request_in_progress', 'This payment is being changed elsewhere; please try again');
};

/**
 * What the browser needs to pay: the intent's client secret, and its id, by which the same answer can be given again.
 */
export interface IntentToPay {
  readonly clientSecret: string;
  readonly intentId: string;
  /** Of the booking that was named, in US dollars. */
  readonly price: number;
  readonly postage: number;
  /** What is charged: all prices and the postage. */
  readonly total: number;
}

/**
 * The client secret of the booking's one live payment intent, of the amount the database knows. The same answer when
 * repeated; another intent only after the last one was cancelled at the provider. 409 when paid, lost, at another price
 * or not what was promised; 429 for a while after too many declined cards.
 */
export const createPaymentIntent = async (
  deps: PaymentDeps,
  viewer: Viewer,
  input: {
    price: number | string;
    bookingId?: string | undefined;
    bookingIds?: readonly string[] | undefined;
    delivery?: 'pickup' | 'post' | undefined;
    address?: Address | undefined;
  },
): Promise<IntentToPay> => {
  const buyer = requireBuyer(viewer);
  const cents = centsOf(input.price);
  const booking = await bookingToPay(deps.db, buyer, { bookingId: input.bookingId, cents });
  if (booking.paidAt !== null) throw alreadyPaid();
  await requireNotStopped(deps.db, buyer.userId);
  const others = (input.bookingIds ?? []).filter((id) => id !== booking.id);
  const delivery = input.delivery && { kind: input.delivery, address: input.address };
  const wish: Wish = { bookingIds: [booking.id, ...new Set(others)], cents, delivery };
  const intent = await claim(deps, buyer, wish);
  const facts = await askFor(deps, intent);
  if (facts.status === 'succeeded') {
    const settled = await retryOnContention(() => deps.db.transaction().execute((trx) => settle(trx, facts, deps)));
    tellOfStray(deps, settled, facts);
    if (settled.kind === 'sale') throw alreadyPaid();
    throw notKept(settled);
  }
  if (facts.status !== 'canceled') return toPay(deps.db, intent.checkoutId, booking.id, facts);
  await moveIntent(deps.db, intent, 'cancelled');
  const next = await claim(deps, buyer, wish);
  return toPay(deps.db, next.checkoutId, booking.id, await askFor(deps, next));
};

const toPay = async (
  db: Db,
  checkoutId: string,
  bookingId: string | undefined,
  { id, clientSecret, amountCents }: IntentFacts,
): Promise<IntentToPay> => {
  const bookings = (await findCheckout(db, checkoutId))?.bookings ?? [];
  const named = bookings.find((each) => each.bookingId === bookingId) ?? bookings[0];
  return {
    clientSecret,
    intentId: id,
    price: dollarsOf(named?.priceCents ?? amountCents),
    postage: dollarsOf(bookings.reduce((sum, { postageCents }) => sum + postageCents, 0)),
    total: dollarsOf(amountCents),
  };
};

/** The client secret of an intent that was answered before. */
export const recallPaymentIntent = async (
  deps: PaymentDeps,
  intentId: string,
  bookingId: string | undefined,
): Promise<IntentToPay> => {
  const facts = await deps.provider.findIntent(intentId);
  const intent = facts && (await findIntent(deps.db, facts.bookingId, facts.n));
  if (facts === undefined || intent === undefined) {
    throw new AppError('hold_lost', 'This payment cannot go on; please begin it again');
  }
  return toPay(deps.db, intent.checkoutId, bookingId, facts);
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
  const intent = facts && (await findIntent(deps.db, facts.bookingId, facts.n));
  const paidFor = intent && (await findCheckout(deps.db, intent.checkoutId));
  if (facts === undefined || paidFor?.bookings.some(({ bookingId }) => bookingId === booking.id) !== true) {
    throw notPaid();
  }
  if (facts.status === 'processing') {
    await retryOnContention(() => deps.db.transaction().execute((trx) => takeFacts(trx, facts, deps)));
    return { insertedId: null };
  }
  if (facts.status !== 'succeeded') throw notPaid();
  const settled = await retryOnContention(() => deps.db.transaction().execute((trx) => settle(trx, facts, deps)));
  tellOfStray(deps, settled, facts);
  if (settled.kind !== 'sale') throw notKept(settled);
  return { insertedId: settled.payments.find(({ bookingId }) => bookingId === booking.id)?.id ?? null };
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
