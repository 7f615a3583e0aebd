import { lockBooking } from '#server/bookings/booking.service.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';
import { AppError } from '#server/platform/errors.ts';
import { findIntent, findStoppedIntents, insertFailure, secondsStopped, stopIntentsOf } from './intent.queries.ts';
import { cancelIntent } from './intent.service.ts';
import type { PaymentDeps } from '#server/payments/payments.service.ts';
import type { IntentFacts } from '#server/payments/provider.ts';
import { takeFacts } from '#server/payments/settlement/settle.service.ts';

/** Cards of one buyer that may fail within the hour: whoever tries stolen ones needs many. */
const MAX_FAILURES = 5;
const STOP_SECONDS = 3_600;
const BATCH = 50;

/**
 * Counts a failed card that the provider reports, each report once. With the fifth in an hour the buyer's intents are
 * stopped: they are cancelled at the provider, and there is no other for an hour. Money that came after all is not a
 * failure.
 */
export const takeFailure = async (trx: Trx, eventId: string, facts: IntentFacts): Promise<void> => {
  const booking = await lockBooking(trx, facts.bookingId);
  const intent = booking && (await findIntent(trx, booking.id, facts.n));
  if (booking === undefined || booking.paidAt !== null || intent?.providerId !== facts.id) return;
  const failures = await insertFailure(trx, {
    eventId,
    bookingId: booking.id,
    n: facts.n,
    buyerId: booking.buyerId,
    withinSeconds: STOP_SECONDS,
  });
  if (failures >= MAX_FAILURES) await stopIntentsOf(trx, booking.buyerId);
};

/** 429 for a buyer whose cards failed too often within the hour. */
export const requireNotStopped = async (db: Db, buyerId: string): Promise<void> => {
  const seconds = await secondsStopped(db, buyerId, STOP_SECONDS);
  if (seconds === null) return;
  throw new AppError('too_many', 'Too many cards were declined. Nothing was charged; please try again in an hour', {
    retryAfterSeconds: Math.max(1, seconds),
  });
};

/**
 * Cancels stopped intents at the provider; one that had succeeded is settled instead. Answers how many were looked at.
 */
export const cancelStoppedIntents = async (
  deps: PaymentDeps,
  onError: (error: unknown, bookingId: string) => void,
): Promise<number> => {
  const stopped = await findStoppedIntents(deps.db, BATCH);
  for (const intent of stopped) {
    try {
      const facts = await cancelIntent(deps, intent);
      await deps.db.transaction().execute((trx) => takeFacts(trx, facts, deps));
    } catch (error) {
      onError(error, intent.bookingId);
    }
  }
  return stopped.length;
};
