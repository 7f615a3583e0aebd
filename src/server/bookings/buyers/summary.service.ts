import type { Summary } from '#contract/bookings/dashboard.ts';
import { countListings } from '#server/catalog/listings/listing.service.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { requireSignedIn, type Viewer } from '#server/platform/viewer.ts';
import { readAttention, readBuyerNumbers, readUserNumbers, readSellerNumbers } from './summary.queries.ts';

/** The whole shop: its users, copies on the shelf, and what waits for an admin. */
const readShopNumbers = async (db: Db, adminId: string) => {
  const [users, { count }, { disputeDueBy, reportedSince, ...attention }] = await Promise.all([
    readUserNumbers(db),
    countListings(db),
    readAttention(db, adminId),
  ]);
  return {
    ...users,
    listings: count,
    ...attention,
    disputeDueBy: disputeDueBy?.toISOString() ?? null,
    reportedSince: reportedSince?.toISOString() ?? null,
  };
};

/** The numbers of each role that the viewer has; 401 for visitors. */
export const readSummary = async (db: Db, viewer: Viewer): Promise<Summary> => {
  const user = requireSignedIn(viewer);
  const [buyer, seller, admin] = await Promise.all([
    user.isBuyer ? readBuyerNumbers(db, user.userId) : undefined,
    user.isSeller ? readSellerNumbers(db, user.userId) : undefined,
    user.isAdmin ? readShopNumbers(db, user.userId) : undefined,
  ]);
  return {
    ...(buyer && { buyer: { ...buyer, heldUntil: buyer.heldUntil?.toISOString() ?? null } }),
    ...(seller && { seller }),
    ...(admin && { admin }),
  };
};
