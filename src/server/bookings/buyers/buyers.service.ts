import type { BookingOfMine } from '#contract/bookings/bookings.ts';
import { rowWords } from '#contract/orders/order-row.ts';
import { cursorOf, limitOf, pageOf, partCursorOf, partOf } from '#server/platform/cursor.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { requireOwnAddress, requireSeller, type Viewer } from '#server/platform/viewer.ts';
import { mayReachEachOther } from '#server/bookings/booking.policy.ts';
import {
  listDueBuyerRows,
  listOtherBuyerRows,
  type BookingPage,
  type BookingRow,
} from '#server/bookings/booking-rows.queries.ts';
import { orderOfRow } from '#server/bookings/order-of-row.ts';

/** Whether the seller is asked for something, as their list says it. */
const isTheirs = (row: BookingRow): boolean => {
  const order = orderOfRow(row);
  return order !== null && rowWords(order, 'seller').isYours;
};

const cursorOfRow = (row: BookingRow): string => {
  const { dueKey, at, id } = row;
  return dueKey === null ? cursorOf({ at, id }) : partCursorOf(isTheirs(row) ? 'lead' : 'wait', { at: dueKey, id });
};

/** Up to `count` rows from where a cursor leads: what the seller is asked for, what waits for others, and the rest. */
const rowsFrom = async (
  db: Db,
  sellerId: string,
  { cursor, count }: { cursor: string | undefined; count: number },
): Promise<BookingRow[]> => {
  const { part, after } = partOf(cursor);
  const reads = {
    lead: (page: BookingPage) => listDueBuyerRows(db, sellerId, { ...page, isTheirs: true }),
    wait: (page: BookingPage) => listDueBuyerRows(db, sellerId, { ...page, isTheirs: false }),
    rest: (page: BookingPage) => listOtherBuyerRows(db, sellerId, page),
  };
  const names = ['lead', 'wait', 'rest'] as const;
  const rows: BookingRow[] = [];
  for (const name of names.slice(names.indexOf(part))) {
    rows.push(...(await reads[name]({ limit: count - rows.length, after: name === part ? after : undefined })));
    if (rows.length === count) break;
  }
  return rows;
};

/**
 * Bookings of the seller's own copies: first what the seller is asked for, then what waits for others, each the soonest
 * on top, then the newest first; how to reach the
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
