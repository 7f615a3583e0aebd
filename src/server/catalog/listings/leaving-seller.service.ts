import { deleteTermsOf } from '#server/catalog/delivery/delivery.queries.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { eraseContactOf, eraseExceptionsOf, hasCopiesInShop } from './leaving-seller.queries.ts';

export { listCopiesToExport } from './leaving-seller.queries.ts';

/** Rows changed at once: well within the time of a statement. */
const BATCH = 1_000;

/**
 * Takes phone and place out of the copies of a seller who left, and how they came to their buyers; a held one is
 * promised to its buyer and keeps that meanwhile. Answers whether nothing is left to be done.
 */
export const forgetSeller = async (db: Db, sellerId: string): Promise<boolean> => {
  while ((await eraseContactOf(db, sellerId, BATCH)) === BATCH);
  await eraseExceptionsOf(db, sellerId);
  if (await hasCopiesInShop(db, sellerId)) return false;
  await deleteTermsOf(db, sellerId);
  return true;
};
