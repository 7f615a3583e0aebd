import type { Booking, BookingDetail } from '#contract/bookings/bookings.ts';
import { deliveryInDollars } from '#contract/delivery/delivery-rules.ts';
import { DEFAULT_DELIVERY } from '#contract/delivery/delivery.ts';
import { deliveryOf } from '#server/catalog/delivery/delivery.service.ts';
import { limitOf, pageOf, positionOf } from '#server/platform/cursor.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { imprintOfSeller } from '#server/law/declaring.service.ts';
import { notFound, AppError } from '#server/platform/errors.ts';
import { requireBuyer, requireOwnAddress, requireSignedIn, type Viewer } from '#server/platform/viewer.ts';
import { isSellerOf, mayReachEachOther, maySee } from './booking.policy.ts';
import { lockBooking, refreshBooking } from './booking.queries.ts';
import { listBookingRows, readBookingRow, type BookingRow } from './booking-rows.queries.ts';
import { orderOfRow } from './order-of-row.ts';
import { changeOf } from './holds/promised-copy.ts';

const changeOfRow = ({ hold, current, ...row }: BookingRow): Booking['change'] => {
  const mayBePaid = (hold === 'held' || hold === 'lapsed') && current !== null;
  return mayBePaid ? (changeOf(row._id, { ...row, current }) ?? null) : null;
};

const shown = (row: BookingRow, reachDays: number): Booking => ({
  ...row,
  order: orderOfRow(row),
  ...(!mayReachEachOther(row, reachDays) && { seller_phone: '', seller_location: '' }),
  change: changeOfRow(row),
  paidAt: row.paidAt?.toISOString() ?? null,
  refundedAt: row.refundedAt?.toISOString() ?? null,
  holdExpiresAt: row.holdExpiresAt?.toISOString() ?? null,
  bookedAt: row.bookedAt.toISOString(),
});

/** The buyer's own bookings, newest first; another's list is 403. */
export const listMyBookings = async (
  db: Db,
  viewer: Viewer,
  input: { email: string; limit?: string | undefined; cursor?: string | undefined; reachDays: number },
): Promise<{ rows: Booking[]; next?: string }> => {
  const buyer = requireBuyer(viewer);
  requireOwnAddress(input.email, buyer);
  const limit = limitOf(input.limit);
  const rows = await listBookingRows(db, buyer.userId, { limit: limit + 1, after: positionOf(input.cursor) });
  const page = pageOf(rows, limit);
  return { ...page, rows: page.rows.map((row) => shown(row, input.reachDays)) };
};

/**
 * One booking for its buyer, the copy's seller or an admin; for anyone else it does not exist. What a seller sees of it
 * is what My Buyers tells.
 */
export const readBooking = async (
  db: Db,
  viewer: Viewer,
  { id, reachDays }: { id: string; reachDays: number },
): Promise<BookingDetail> => {
  const user = requireSignedIn(viewer);
  const row = await readBookingRow(db, id);
  if (row === undefined || !maySee(user, row)) throw notFound('There is no such booking');
  const terms = (await deliveryOf(db, [row.listingId])).get(row.listingId) ?? DEFAULT_DELIVERY;
  const { sellsAs } = await imprintOfSeller(db, row.sellerId);
  const booking = { ...shown(row, reachDays), delivery: deliveryInDollars(terms), sellsAs };
  if (!isSellerOf(user, row)) return booking;
  return {
    ...booking,
    email: '',
    change: null,
    ...(!mayReachEachOther(row, reachDays) && { phone: '', location: '' }),
  };
};

/** The buyer says how to be reached; where a payment stands nothing of it changes. 0 when it was so already. */
export const editContact = (
  db: Db,
  viewer: Viewer,
  input: { bookingId: string; phone: string; location: string },
): Promise<{ modifiedCount: number }> => {
  const buyer = requireBuyer(viewer);
  const [phone, location] = [input.phone.trim(), input.location.trim()];
  return db.transaction().execute(async (trx) => {
    const booking = await lockBooking(trx, input.bookingId);
    if (booking === undefined || booking.buyerId !== buyer.userId) throw notFound('There is no such booking');
    if (booking.cancelledAt !== null) throw new AppError('hold_lost', 'This booking was cancelled');
    return { modifiedCount: (await refreshBooking(trx, booking.id, { phone, location })) ? 1 : 0 };
  });
};
