import {
  findBooking,
  findHoldsOfBuyer,
  findHoldsToRelease,
  giveUpHold,
  withFirstWaitingLocked,
  keepWhileConfirmed,
  lockBooking,
  markCancelled,
  markReleasing,
  readTidings,
  type BookingFacts,
  type Waiting,
} from '#server/bookings/booking.service.ts';
import { queueMail } from '#server/mail/outbox.service.ts';
import { crashPoint } from '#server/platform/crash-points.ts';
import type { Trx } from '#server/platform/postgres/db.ts';
import { notFound, AppError } from '#server/platform/errors.ts';
import { requireBuyer, type Viewer } from '#server/platform/viewer.ts';
import { findLiveIntents, moveIntent, withEmails } from '#server/payments/intents/intent.queries.ts';
import { cancelIntent, type WrittenIntent } from '#server/payments/intents/intent.service.ts';
import type { PaymentDeps } from '#server/payments/payments.service.ts';
import { takeFacts } from './settle.service.ts';

/** Why a hold ends: its time is over, or its buyer gave the booking up. */
type Reason = 'lapsed' | 'cancelled';
type Outcome = 'released' | 'paid' | 'undecided';

/** A release that was begun and not ended is taken up by another process after this long. */
const LEASE_SECONDS = 30;
const SWEEP_BATCH = 100;
/** Releases that wait for the provider at the same time; between its answers they hold no connection. */
const AT_ONCE = 4;

/** What a release is about, and who gets the copy then. */
interface Ending extends Waiting {
  readonly booking: BookingFacts;
  readonly reason: Reason;
  readonly minutes: number;
}

const free = async (trx: Trx, { booking, reason, next, minutes }: Ending): Promise<void> => {
  const given = await giveUpHold(trx, booking, { next, minutes });
  if (reason === 'cancelled') await markCancelled(trx, booking.id);
  if (reason === 'lapsed' && given?.isFree === true) await tellOfLapse(trx, booking, given.expiredAt);
};

const tellOfLapse = async (trx: Trx, booking: BookingFacts, expiredAt: Date): Promise<void> => {
  const { title, priceCents, buyer, isOnlyOffered } = await readTidings(trx, booking.id);
  if (buyer === undefined || isOnlyOffered) return;
  await queueMail(trx, {
    kind: 'hold-lapsed',
    key: `hold-lapsed:${booking.id}:${expiredAt.toISOString()}`,
    to: buyer,
    data: { title, priceCents, bookingId: booking.id },
  });
};

/** Frees a hold without an intent at once; else marks it as being released and answers the intent to cancel first. */
const begin = (deps: PaymentDeps, { id, listingId }: BookingFacts, reason: Reason): Promise<WrittenIntent | Outcome> =>
  withFirstWaitingLocked(deps.db, listingId, async (trx, { next }) => {
    const booking = await lockBooking(trx, id);
    if (booking === undefined || booking.paidAt !== null) return 'paid';
    // Of two who cancel at once the second finds it done.
    if (booking.cancelledAt !== null) return 'released';
    // Between the sweep's look and this lock the buyer may have renewed it.
    if (reason === 'lapsed' && !(await mayLapse(trx, id))) return 'undecided';
    const [intent] = await findLiveIntents(trx, [id]);
    if (intent === undefined) {
      await free(trx, { booking, reason, next, minutes: deps.holdMinutes });
      return 'released';
    }
    await markReleasing(trx, id);
    const [written] = await withEmails(trx, [intent]);
    return written ?? 'undecided';
  });

/**
 * The bank asks the buyer whether it is them: a payment under way, which the lapse of a hold does not break off at
 * once.
 */
const isBeingConfirmed = async (deps: PaymentDeps, { providerId }: WrittenIntent): Promise<boolean> => {
  const facts = providerId === null ? undefined : await deps.provider.findIntent(providerId);
  return facts?.status === 'requires_action';
};

/** Keeps the hold of a payment under way a little longer; false when it was kept as long as it may be. */
const keep = (deps: PaymentDeps, bookingId: string): Promise<boolean> =>
  deps.db.transaction().execute(async (trx) => {
    const booking = await lockBooking(trx, bookingId);
    return booking?.paidAt === null && keepWhileConfirmed(trx, bookingId);
  });

const mayLapse = async (trx: Trx, bookingId: string): Promise<boolean> => {
  const due = await findHoldsToRelease(trx, LEASE_SECONDS, 1, { bookingId });
  return due.length > 0;
};

/**
 * Ends a booking's hold so that no payment can land on a released copy: cancels its intent at the provider first and
 * releases only when that is confirmed; an intent that had succeeded is settled instead; unknown is left for the next
 * try, and so is, for ten minutes, a lapsed one that the bank asks its buyer about. The copy goes to the first in line,
 * if there is a line.
 */
const release = async (deps: PaymentDeps, bookingId: string, reason: Reason): Promise<Outcome> => {
  const known = await findBooking(deps.db, bookingId);
  if (known === undefined) return 'undecided';
  const begun = await begin(deps, known, reason);
  if (typeof begun === 'string') return begun;
  if (reason === 'lapsed' && (await isBeingConfirmed(deps, begun)) && (await keep(deps, bookingId))) return 'undecided';
  const facts = await cancelIntent(deps, begun);
  crashPoint('pi-cancelled');
  return withFirstWaitingLocked(deps.db, known.listingId, async (trx, { next }) => {
    const booking = await lockBooking(trx, bookingId);
    if (facts.status !== 'canceled') {
      const taken = await takeFacts(trx, facts, deps);
      return taken.kind === 'sale' ? 'paid' : 'undecided';
    }
    await moveIntent(trx, begun, 'cancelled');
    if (booking === undefined || booking.paidAt !== null) return 'undecided';
    if (booking.cancelledAt !== null) return 'released';
    await free(trx, { booking, reason, next, minutes: deps.holdMinutes });
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
  if (outcome === 'paid') throw new AppError('already_paid', 'This booking is paid already');
  if (outcome === 'undecided') {
    throw new AppError('request_in_progress', 'The payment is just being decided; look again in a moment');
  }
  return { deletedCount: 1 };
};

/**
 * Gives up every unpaid booking with which a departing buyer holds a copy, all at once; one that turns out paid settles
 * and stands. What fails is told to `onError` and taken up again by the sweep.
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

type OnError = (error: unknown, bookingId: string) => void;

const releaseAll = async (
  deps: PaymentDeps,
  bookings: readonly { bookingId: string }[],
  onError: OnError,
): Promise<number> => {
  const outcomes = await Promise.all(
    bookings.map(({ bookingId }) =>
      release(deps, bookingId, 'lapsed').catch((error: unknown) => onError(error, bookingId)),
    ),
  );
  return outcomes.filter((outcome) => outcome === 'released').length;
};

/**
 * Releases holds whose time is over by the database's clock and which no payment can land on; answers how many copies
 * became free. Asks nobody, so that these are on time whatever the provider does.
 */
export const releaseIdleHolds = async (deps: PaymentDeps, onError: OnError): Promise<number> => {
  let released = 0;
  for (const booking of await findHoldsToRelease(deps.db, LEASE_SECONDS, SWEEP_BATCH, { withIntent: false })) {
    released += await releaseAll(deps, [booking], onError);
  }
  return released;
};

/** As `releaseIdleHolds`, and those whose intents the provider must cancel first, a few at a time. */
export const releaseLapsedHolds = async (deps: PaymentDeps, onError: OnError): Promise<number> => {
  let released = await releaseIdleHolds(deps, onError);
  const due = await findHoldsToRelease(deps.db, LEASE_SECONDS, SWEEP_BATCH, { withIntent: true });
  for (let at = 0; at < due.length; at += AT_ONCE) {
    released += await releaseAll(deps, due.slice(at, at + AT_ONCE), onError);
  }
  return released;
};
