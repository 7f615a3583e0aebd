import type { Trx } from '#server/platform/postgres/db.ts';

/** Keeps a copy as it is until the transaction ends, where it shows this picture still. */
export const lockPictured = async (trx: Trx, listingId: string, address: string): Promise<boolean> => {
  const found = await trx
    .selectFrom('listings')
    .select('id')
    .where('id', '=', listingId)
    .where('image_url', '=', address)
    .where('status', '<>', 'withdrawn')
    .forNoKeyUpdate()
    .executeTakeFirst();
  return found !== undefined;
};

/**
 * A copy shows its picture from the shop from now on; that is the same picture, and no edit by its seller. What was
 * promised of the copy is told by the address it came from.
 */
export const showPhoto = async (trx: Trx, listingId: string, name: string): Promise<void> => {
  await trx
    .updateTable('listings')
    .set((row) => ({ image_source: row.ref('image_url'), image_url: name }))
    .where('id', '=', listingId)
    .execute();
};
