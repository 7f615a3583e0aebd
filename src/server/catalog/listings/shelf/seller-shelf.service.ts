import type { Trx } from '#server/platform/postgres/db.ts';
import { withdrawAvailableOf } from './seller-shelf.queries.ts';

/**
 * Takes a departing seller's copies off the shelf; answers how many. A held copy is promised to its buyer and stays
 * until it is sold or the hold ends, when the database withdraws it instead of offering it again; a sold one stays
 * sold.
 */
export const withdrawCopiesOf = (trx: Trx, sellerId: string): Promise<number> => withdrawAvailableOf(trx, sellerId);
