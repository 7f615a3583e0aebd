import type { Trx } from '#server/platform/postgres/db.ts';
import { becoming } from './listing.queries.ts';

/** Withdraws a seller's available copies; answers how many. */
export const withdrawAvailableOf = async (trx: Trx, sellerId: string): Promise<number> => {
  const result = await trx
    .updateTable('listings')
    .set(becoming('withdrawn'))
    .where('seller_id', '=', sellerId)
    .where('status', '=', 'available')
    .executeTakeFirst();
  return Number(result.numUpdatedRows);
};
