import type { Trx } from '#server/platform/postgres/db.ts';
import { becoming } from '#server/catalog/listings/listing.queries.ts';

/** Withdraws a seller's copies that nobody has, paused ones too; answers how many. */
export const withdrawAvailableOf = async (trx: Trx, sellerId: string): Promise<number> => {
  const result = await trx
    .updateTable('listings')
    .set(becoming('withdrawn'))
    .where('seller_id', '=', sellerId)
    .where('status', 'in', ['available', 'paused'])
    .executeTakeFirst();
  return Number(result.numUpdatedRows);
};
