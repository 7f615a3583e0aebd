import type { CopyChange } from '#contract/bookings/promise.ts';
import { lockCopy } from '#server/catalog/listings/listing.service.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';
import { notFound, AppError } from '#server/platform/errors.ts';
import { requireBuyer, type Viewer } from '#server/platform/viewer.ts';
import { mayBecome } from '#server/bookings/booking-moves.policy.ts';
import { lockBooking } from '#server/bookings/booking.queries.ts';
import { changeOf, isBetter, keptPromise } from './promised-copy.ts';
import { readPromise, renewPromise } from './promise.queries.ts';

const copyChanged = (change: CopyChange): AppError =>
  new AppError('copy_changed', 'The seller has changed this book since you booked it', { change });

/**
 * Holds a copy that nobody can edit meanwhile against what its buyer was promised: 409 with both where it is another.
 * What is better now (a lower price, a photo more) is promised from then on. Answers what the copy costs this buyer.
 */
export const keepPromise = async (trx: Trx, bookingId: string): Promise<number> => {
  const copy = await readPromise(trx, bookingId);
  const change = changeOf(bookingId, copy);
  if (change !== undefined) throw copyChanged(change);
  if (isBetter(copy)) await renewPromise(trx, bookingId, keptPromise(copy.current));
  return copy.current.price_cents;
};

/** The buyer takes the copy as they saw it last for what was promised; 409 when it has changed once more since. */
export const acceptCopy = (
  db: Db,
  viewer: Viewer,
  input: { bookingId: string; version: string },
): Promise<{ modifiedCount: number }> => {
  const buyer = requireBuyer(viewer);
  return db.transaction().execute(async (trx) => {
    const booking = await lockBooking(trx, input.bookingId);
    if (booking === undefined || booking.buyerId !== buyer.userId) throw notFound();
    if (booking.paidAt !== null) throw new AppError('already_paid', 'This booking is paid already');
    if (!mayBecome(booking, 'paid')) throw new AppError('hold_lost', 'This booking was cancelled');
    await lockCopy(trx, booking.listingId);
    const copy = await readPromise(trx, booking.id);
    const change = changeOf(booking.id, copy);
    if (change === undefined) return { modifiedCount: 0 };
    if (change.version !== input.version) throw copyChanged(change);
    await renewPromise(trx, booking.id, keptPromise(copy.current));
    return { modifiedCount: 1 };
  });
};
