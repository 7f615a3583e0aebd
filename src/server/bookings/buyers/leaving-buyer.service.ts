import type { Db } from '#server/platform/postgres/db.ts';
import { deleteAnswersOf, eraseBuyer, hasNamedBookings } from './leaving-buyer.queries.ts';

export { listBookingsToExport } from './leaving-buyer.queries.ts';

/**
 * Makes the bookings of a buyer who left nameless; what was paid and for how much stays. One that still holds a copy
 * waits for its hold to end. Answers whether nothing is left to be done.
 */
export const forgetBuyer = async (db: Db, buyerId: string): Promise<boolean> => {
  await deleteAnswersOf(db, buyerId);
  await eraseBuyer(db, buyerId);
  return !(await hasNamedBookings(db, buyerId));
};
