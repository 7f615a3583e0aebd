import type { Db } from '#server/platform/postgres/db.ts';
import {
  deleteAnswersOf,
  eraseBuyer,
  eraseContactOfOrders,
  erasePromisedPhotos,
  hasNamedBookings,
} from './leaving-buyer.queries.ts';

export { listBookingsToExport } from './leaving-buyer.queries.ts';

/**
 * Makes the bookings of a buyer who left nameless; what was paid and for how much stays. One that still holds a copy
 * waits for its hold to end, one of an order under way for its end. Answers whether nothing is left to be done.
 */
export const forgetBuyer = async (db: Db, buyerId: string): Promise<boolean> => {
  await deleteAnswersOf(db, buyerId);
  await eraseBuyer(db, buyerId);
  return !(await hasNamedBookings(db, buyerId));
};

/** Forgets how the buyers of orders were reached that are long over. */
export const forgetContactOfOrders = async (db: Db, orderIds: readonly string[]): Promise<void> => {
  if (orderIds.length > 0) await eraseContactOfOrders(db, orderIds);
};

/** Drops the photos of a seller who left that their buyers were promised, in orders that are long over. */
export const forgetPromisedPhotos = async (
  db: Db,
  { sellerId, orderIds }: { sellerId: string; orderIds: readonly string[] },
): Promise<void> => {
  if (orderIds.length > 0) await erasePromisedPhotos(db, sellerId, orderIds);
};
