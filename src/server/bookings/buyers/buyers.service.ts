import type { BookingOfMine } from '#contract/bookings/bookings.ts';
import { limitOf, pageOf, positionOf } from '#server/platform/cursor.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { requireOwnAddress, requireSeller, type Viewer } from '#server/platform/viewer.ts';
import { mayReachEachOther } from '#server/bookings/booking.policy.ts';
import { listBuyerRows } from '#server/bookings/booking.queries.ts';

/**
 * Bookings of the seller's own copies, newest first; how to reach the buyer once it is paid for, until `reachDays`
 * after the order has ended. Another's list is 403.
 */
export const listMyBuyers = async (
  db: Db,
  viewer: Viewer,
  input: { email: string; limit?: string | undefined; cursor?: string | undefined; reachDays: number },
): Promise<{ rows: BookingOfMine[]; next?: string }> => {
  const seller = requireSeller(viewer);
  requireOwnAddress(input.email, seller);
  const limit = limitOf(input.limit);
  const rows = await listBuyerRows(db, seller.userId, { limit, after: positionOf(input.cursor) });
  const page = pageOf(rows, limit);
  return {
    ...page,
    rows: page.rows.map((row) => ({
      ...row,
      ...(!mayReachEachOther(row, input.reachDays) && { phone: '', location: '' }),
      paidAt: row.paidAt?.toISOString() ?? null,
      refundedAt: row.refundedAt?.toISOString() ?? null,
      holdExpiresAt: row.holdExpiresAt?.toISOString() ?? null,
      bookedAt: row.bookedAt.toISOString(),
    })),
  };
};
