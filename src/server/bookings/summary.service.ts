import type { Summary } from '#contract/dashboard.ts';
import type { Db } from '#server/platform/db.ts';
import { requireSignedIn, type Viewer } from '#server/platform/viewer.ts';
import { readBuyerNumbers, readSellerNumbers, readShopNumbers } from './summary.queries.ts';

/** The numbers of each role that the viewer has; 401 for visitors. */
export const readSummary = async (db: Db, viewer: Viewer): Promise<Summary> => {
  const person = requireSignedIn(viewer);
  const [buyer, seller, admin] = await Promise.all([
    person.isBuyer ? readBuyerNumbers(db, person.userId) : undefined,
    person.isSeller ? readSellerNumbers(db, person.userId) : undefined,
    person.isAdmin ? readShopNumbers(db) : undefined,
  ]);
  return {
    ...(buyer && { buyer: { ...buyer, heldUntil: buyer.heldUntil?.toISOString() ?? null } }),
    ...(seller && { seller }),
    ...(admin && { admin }),
  };
};
