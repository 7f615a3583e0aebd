import { deleteTermsOf } from '#server/catalog/delivery/delivery.queries.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { forgetStock } from '#server/catalog/stock/steps/tidying.service.ts';
import { dropDraft } from '#server/catalog/drafts/draft.service.ts';
import { deletePhotosOf, withdrawPhotos } from '#server/catalog/photos/listing-photos.service.ts';
import { eraseContactOf, eraseExceptionsOf, hasCopiesInShop, listPicturedCopies } from './leaving-seller.queries.ts';
import { updateListing } from '#server/catalog/listings/managing.queries.ts';
import { deleteShelfPause } from '#server/catalog/listings/pausing/pausing.queries.ts';

export { listCopiesToExport } from './leaving-seller.queries.ts';

/** Rows changed at once: well within the time of a statement. */
const BATCH = 1_000;
/** Copies whose photos are taken off at once: several statements each. */
const PICTURES = 50;

/** Takes the photos off copies that nobody waits for, and deletes what the user has beside. */
const forgetPhotos = async (db: Db, userId: string): Promise<void> => {
  for (let some = PICTURES; some === PICTURES;) {
    some = await db.transaction().execute(async (trx) => {
      const ids = await listPicturedCopies(trx, userId, PICTURES);
      for (const id of ids) {
        await withdrawPhotos(trx, id, 'gone');
        await updateListing(trx, id, { image_url: '', image_source: '' });
      }
      return ids.length;
    });
  }
  await deletePhotosOf(db, userId);
};

/**
 * Takes phone and place out of the copies of a seller who left, and how they came to their buyers; a held one is
 * promised to its buyer and keeps that meanwhile. Answers whether nothing is left to be done.
 */
export const forgetSeller = async (db: Db, sellerId: string): Promise<boolean> => {
  while ((await eraseContactOf(db, sellerId, BATCH)) === BATCH);
  await eraseExceptionsOf(db, sellerId);
  await forgetPhotos(db, sellerId);
  await deleteShelfPause(db, sellerId);
  await dropDraft(db, sellerId);
  await forgetStock(db, sellerId);
  if (await hasCopiesInShop(db, sellerId)) return false;
  await deleteTermsOf(db, sellerId);
  return true;
};
