import {
  findBooking,
  findHoldsOfBuyer,
  findHoldsToRelease,
  lockBooking,
  markCancelled,
  markReleasing,
  releaseHold,
  type BookingFacts,
} from '#server/bookings/booking.service.ts';
import type { Trx } from '#server/platform/db.ts';
import { notFound, Refusal } from '#server/platform/errors.ts';
import { requireBuyer, type Viewer } from '#server/platform/viewer.ts';
import { findLiveIntent, markIntent, saveProviderId, type Intent } from './intent.queries.ts';
import type { PaymentDeps } from './payment.service.ts';
import type { IntentFacts } from './provider.ts';
import { settle } from './settle.service.ts';

/** Why a hold ends: its time is over, or its buyer gave the booking up. */
type Reason = 'lapsed' | 'cancelled';
type Outcome = 'released' | 'paid' | 'undecided';
type IntentToCancel = Intent & { readonly email: string };

/** A release that was begun and not ended is taken up by another process after this long. */
const LEASE_SECONDS = 30;
const SWEEP_BATCH = 100;

const free = async (trx: Trx, booking: BookingFacts, reason: Reason): Promise<void> => {
  await releaseHold(trx, booking);
  if (reason === 'cancelled') await markCancelled(trx, booking.id);
};

/** Frees a hold without an intent at once; else marks it as being released and answers the intent to cancel first. */
const begin = (deps: PaymentDeps, bookingId: string, reason: Reason): Promise<IntentToCancel | Outcome> =>
  deps.db.transaction().execute(async (trx) => {
    const booking = await lockBooking(trx, bookingId);
    if (booking === undefined || booking.paidAt !== null) return 'paid';
    // Between the sweep's look and this lock the buyer may have renewed it.
    if (reason === 'lapsed' && !(await mayLapse(trx, bookingId))) return 'undecided';
    const intent = await findLiveIntent(trx, bookingId);
    if (intent === undefined) {
      await free(trx, booking, reason);
      return 'released';
    }
    await markReleasing(trx, bookingId);
    return { ...intent, email: booking.buyerEmail };
  });

const mayLapse = async (trx: Trx, bookingId: string): Promise<boolean> => {
  const due = await findHoldsToRelease(trx, LEASE_SECONDS, SWEEP_BATCH, bookingId);
  return due.length > 0;
};

/** Cancels an intent; one whose creation was never answered is asked for again by its durable key to learn its id. */
const cancelAtProvider = async (deps: PaymentDeps, intent: IntentToCancel): Promise<IntentFacts> => {
  if (intent.providerId !== null) return deps.provider.cancelIntent(intent.providerId);
  const made = await deps.provider.createIntent(intent);
  await saveProviderId(deps.db, intent, made.id);
  return deps.provider.cancelIntent(made.id);
};

/**
 * Ends a booking's hold so that no payment can land on a released copy: cancels its intent at the provider first and
 * releases only when that is confirmed; an intent that had succeeded is settled instead; unknown is left for the next try.
 */
const release = async (deps: PaymentDeps, bookingId: string, reason: Reason): Promise<Outcome> => {
  const begun = await begin(deps, bookingId, reason);
  if (typeof begun === 'string') return begun;
  const facts = await cancelAtProvider(deps, begun);
  return deps.db.transaction().execute(async (trx) => {
    if (facts.status === 'succeeded') {
      await settle(trx, facts);
      return 'paid';
    }
    const booking = await lockBooking(trx, bookingId);
    if (facts.status !== 'canceled' || booking === undefined || booking.paidAt !== null) return 'undecided';
    await markIntent(trx, begun, 'cancelled');
    await free(trx, booking, reason);
    return 'released';
  });
};

/** Cancels the viewer's unpaid booking and frees its copy; 409 when it is paid, or the provider cannot say yet. */
export const cancelBooking = async (
  deps: PaymentDeps,
  viewer: Viewer,
  bookingId: string,
): Promise<{ deletedCount: number }> => {
  const buyer = requireBuyer(viewer);
  const booking = await findBooking(deps.db, bookingId);
  if (booking === undefined || booking.buyerId !== buyer.userId) throw notFound();
  if (booking.cancelledAt !== null) return { deletedCount: 0 };
  const outcome = await release(deps, bookingId, 'cancelled');
  if (outcome === 'paid') throw new Refusal('already_paid', 'This booking is paid already');
  if (outcome === 'undecided') {
    throw new Refusal('request_in_progress', 'The payment is just being decided; look again in a moment');
  }
  return { deletedCount: 1 };
};

/**
 * Gives up every unpaid booking with which a departing buyer holds a copy, all at once; one that turns out paid settles and
 * stands. What fails is told to `onError` and taken up again by the sweep.
 */
export const releaseHoldsOfBuyer = async (
  deps: PaymentDeps,
  buyerId: string,
  onError: (error: unknown, bookingId: string) => void,
): Promise<void> => {
  const held = await findHoldsOfBuyer(deps.db, buyerId);
  await Promise.all(
    held.map(({ bookingId }) =>
      release(deps, bookingId, 'cancelled').catch((error: unknown) => onError(error, bookingId)),
    ),
  );
};

/** Releases every hold whose time is over by the database's clock; answers how many copies became free. */
export const releaseLapsedHolds = async (
  deps: PaymentDeps,
  onError: (error: unknown, bookingId: string) => void,
): Promise<number> => {
  let released = 0;
  for (const { bookingId } of await findHoldsToRelease(deps.db, LEASE_SECONDS, SWEEP_BATCH)) {
    try {
      if ((await release(deps, bookingId, 'lapsed')) === 'released') released += 1;
    } catch (error) {
      onError(error, bookingId);
    }
  }
  return released;
};
