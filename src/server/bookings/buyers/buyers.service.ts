import type { BookingOfMine } from '#contract/bookings/bookings.ts';
import { cursorOf, leadCursorOf, limitOf, pageOf, partOf } from '#server/platform/cursor.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { requireOwnAddress, requireSeller, type Viewer } from '#server/platform/viewer.ts';
import { mayReachEachOther } from '#server/bookings/booking.policy.ts';
import { listDueBuyerRows, listOtherBuyerRows, type BookingRow } from '#server/bookings/booking.queries.ts';
import { orderOfRow } from '#server/bookings/order-of-row.ts';

const cursorOfRow = ({ dueKey, at, id }: BookingRow): string =>
  dueKey === null ? cursorOf({ at, id }) : leadCursorOf({ at: dueKey, id });

/** Up to `count` rows from where a cursor leads: what is due, and below it the rest. */
const rowsFrom = async (
  db: Db,
  sellerId: string,
  { cursor, count }: { cursor: string | undefined; count: number },
): Promise<BookingRow[]> => {
  const { lead, after } = partOf(cursor);
  if (!lead) return listOtherBuyerRows(db, sellerId, { limit: count, after });
  const due = await listDueBuyerRows(db, sellerId, { limit: count, after });
  if (due.length === count) return due;
  return [...due, ...(await listOtherBuyerRows(db, sellerId, { limit: count - due.length, after: undefined }))];
};

/**
 * Bookings of the seller's own copies: first what is due, the soonest on top, then the newest first; how to reach the
 * buyer once it is paid for, until `reachDays` after the order has ended. Another's list is 403.
 */
export const listMyBuyers = async (
  db: Db,
  viewer: Viewer,
  input: { email: string; limit?: string | undefined; cursor?: string | undefined; reachDays: number },
): Promise<{ rows: BookingOfMine[]; next?: string }> => {
  const seller = requireSeller(viewer);
  requireOwnAddress(input.email, seller);
  const limit = limitOf(input.limit);
  const rows = await rowsFrom(db, seller.userId, { cursor: input.cursor, count: limit + 1 });
  const page = pageOf(rows, limit, cursorOfRow);
  return {
    ...page,
    rows: page.rows.map((row) => ({
      ...row,
      order: orderOfRow(row),
      ...(!mayReachEachOther(row, input.reachDays) && { phone: '', location: '' }),
      paidAt: row.paidAt?.toISOString() ?? null,
      refundedAt: row.refundedAt?.toISOString() ?? null,
      holdExpiresAt: row.holdExpiresAt?.toISOString() ?? null,
      bookedAt: row.bookedAt.toISOString(),
    })),
  };
};
