import type { Db } from '#server/platform/postgres/db.ts';
import { eraseContactOf, hasCopiesInShop } from './leaving-seller.queries.ts';

export { listCopiesToExport } from './leaving-seller.queries.ts';

/** Rows changed at once: well within the time of a statement. */
const BATCH = 1_000;

/**
 * Takes phone and place out of the copies of a seller who left; a held one is promised to its buyer and keeps them
 * meanwhile. Answers whether nothing is left to be done.
 */
export const forgetSeller = async (db: Db, sellerId: string): Promise<boolean> => {
  while ((await eraseContactOf(db, sellerId, BATCH)) === BATCH);
  return !(await hasCopiesInShop(db, sellerId));
};
