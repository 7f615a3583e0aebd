import { parseCents } from '#contract/money.ts';
import {
  findBooking,
  findOpenBookingsAtPrice,
  holdRefused,
  lockBooking,
  lockBuyerHolds,
  takeOrRenewHold,
  type BookingFacts,
} from '#server/bookings/booking.service.ts';
import type { Db, Trx } from '#server/platform/db.ts';
import { badFields, notFound, Refusal } from '#server/platform/errors.ts';
import { requireBuyer, requireOwnAddress, type SignedIn, type Viewer } from '#server/platform/viewer.ts';
import {
  findLiveIntent,
  findPayment,
  insertEvent,
  insertNextIntent,
  markIntent,
  saveProviderId,
  type Intent,
} from './intent.queries.ts';
import type { IntentFacts, PaymentProvider, ProviderEvent } from './provider.ts';
import { settle } from './settle.service.ts';

export interface PaymentDeps {
  readonly db: Db;
  readonly provider: PaymentProvider;
  readonly holdMinutes: number;
}

/** What the provider calls an intent; anything else is not worth asking about, and might name another of its pages. */
const INTENT_ID = /^pi_\w{1,250}$/;

const alreadyPaid = (): Refusal => new Refusal('already_paid', 'This booking is paid already');

const centsOf = (price: number | string): number => {
  const cents = parseCents(price);
  if (cents === undefined || cents === 0) throw badFields({ price: 'This is not a price' });
  return cents;
};

const requirePrice = (booking: BookingFacts, cents: number): void => {
  if (booking.priceCents !== cents) {
    throw new Refusal('price_changed', 'The price has changed', { fields: { price: 'The price has changed' } });
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
    throw new Refusal('booking_ambiguous', 'Say which booking is to be paid (bookingId)');
  }
  return ownBooking(db, buyer, only.id);
};

/** Takes or renews the hold and writes down the intent, in one short transaction before the provider is asked. */
const claimIntent = (deps: PaymentDeps, buyer: SignedIn, bookingId: string): Promise<Intent> =>
  deps.db.transaction().execute(async (trx) => {
    await lockBuyerHolds(trx, buyer.userId);
    const booking = await lockBooking(trx, bookingId);
    if (booking === undefined) throw notFound();
    if (booking.paidAt !== null) throw alreadyPaid();
    if (booking.cancelledAt !== null) throw new Refusal('hold_lost', 'This booking was cancelled');
    const hold = await takeOrRenewHold(trx, {
      listingId: booking.listingId,
      bookingId: booking.id,
      buyerId: buyer.userId,
      minutes: deps.holdMinutes,
    });
    if (!(hold instanceof Date)) throw holdRefused(hold);
    return (await findLiveIntent(trx, booking.id)) ?? insertNextIntent(trx, booking.id, booking.priceCents);
  });

/** The provider's view of an intent whose row exists: made with its durable key, or looked up. */
const askProvider = async (deps: PaymentDeps, intent: Intent, email: string): Promise<IntentFacts> => {
  const known = intent.providerId === null ? undefined : await deps.provider.findIntent(intent.providerId);
  if (known !== undefined) return known;
  const made = await deps.provider.createIntent({ ...intent, email });
  await saveProviderId(deps.db, intent, made.id);
  return made;
};

/**
 * The client secret of the booking's one live payment intent, of the amount the database knows. The same answer when
 * repeated; another intent only after the last one was cancelled at the provider. 409 when paid, lost or at another price.
 */
export const createPaymentIntent = async (
  deps: PaymentDeps,
  viewer: Viewer,
  input: { price: number | string; bookingId?: string | undefined },
): Promise<{ clientSecret: string }> => {
  const buyer = requireBuyer(viewer);
  const cents = centsOf(input.price);
  const booking = await bookingToPay(deps.db, buyer, { bookingId: input.bookingId, cents });
  if (booking.paidAt !== null) throw alreadyPaid();
  requirePrice(booking, cents);
  const intent = await claimIntent(deps, buyer, booking.id);
  const facts = await askProvider(deps, intent, booking.buyerEmail);
  if (facts.status === 'succeeded') {
    await deps.db.transaction().execute((trx) => settle(trx, facts));
    throw alreadyPaid();
  }
  if (facts.status !== 'canceled') return { clientSecret: facts.clientSecret };
  await markIntent(deps.db, intent, 'cancelled');
  const next = await claimIntent(deps, buyer, booking.id);
  return { clientSecret: (await askProvider(deps, next, booking.buyerEmail)).clientSecret };
};

/** Settles a booking if the provider says its intent succeeded; `null` while it is still processing; else 409. */
export const recordPayment = async (
  deps: PaymentDeps,
  viewer: Viewer,
  input: { price: number | string; transactionId: string; email: string; bookingId: string },
): Promise<{ insertedId: string | null }> => {
  const buyer = requireBuyer(viewer);
  requireOwnAddress(input.email, buyer);
  const cents = centsOf(input.price);
  const booking = await ownBooking(deps.db, buyer, input.bookingId);
  requirePrice(booking, cents);
  const payment = await findPayment(deps.db, booking.id);
  if (payment?.providerId === input.transactionId) return { insertedId: payment.id };
  const facts = INTENT_ID.test(input.transactionId) ? await deps.provider.findIntent(input.transactionId) : undefined;
  if (facts === undefined || facts.bookingId !== booking.id) {
    throw new Refusal('not_paid', 'This payment does not pay for this booking');
  }
  if (facts.status === 'processing') return { insertedId: null };
  return { insertedId: await deps.db.transaction().execute((trx) => settle(trx, facts)) };
};

/** Another shop on the same account has intents too: what pays for no booking of ours is taken and let go. */
const settleIfOurs = async (trx: Trx, facts: IntentFacts): Promise<void> => {
  try {
    await settle(trx, facts);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
  }
};

/**
 * Acts on an event of the provider: asks what its intent is now, whatever the event says, and stores the event's id in the
 * transaction of the effect. Any order, any number of times.
 */
export const receiveEvent = async (deps: PaymentDeps, event: ProviderEvent): Promise<void> => {
  const facts = event.intentId === undefined ? undefined : await deps.provider.findIntent(event.intentId);
  await deps.db.transaction().execute(async (trx) => {
    if (!(await insertEvent(trx, event)) || facts === undefined || facts.bookingId === '') return;
    if (facts.status === 'succeeded') await settleIfOurs(trx, facts);
    if (facts.status === 'canceled') await markIntent(trx, facts, 'cancelled');
  });
};
