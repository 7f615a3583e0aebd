import { sql } from 'kysely';
import type { Trx } from '#server/platform/postgres/db.ts';

/** Notes that a copy was sold elsewhere now; one that had no SKU goes by its id. */
export const insertSoldElsewhere = async (trx: Trx, sellerId: string, listingId: string): Promise<void> => {
  await sql`
    INSERT INTO stock_copies (listing_id, seller_id, sku, number, cost_cents, sold_at)
    VALUES (${listingId}::uuid, ${sellerId}::uuid, ${listingId}, 1, NULL, shop_now())
    ON CONFLICT (listing_id) DO UPDATE SET sold_at = excluded.sold_at`.execute(trx);
};

/** When a copy that was taken out was sold elsewhere, and whether that is less than so many hours ago. */
export const findSoldElsewhere = async (
  trx: Trx,
  listingId: string,
  hours: number,
): Promise<{ isRecent: boolean } | undefined> => {
  const { rows } = await sql<{ isRecent: boolean }>`
    SELECT s.sold_at > shop_now() - make_interval(hours => ${hours}) AS "isRecent" FROM stock_copies AS s
    WHERE s.listing_id = ${listingId}::uuid AND s.sold_at IS NOT NULL`.execute(trx);
  return rows[0];
};

export const clearSoldElsewhere = async (trx: Trx, listingId: string): Promise<void> => {
  await trx.updateTable('stock_copies').set({ sold_at: null }).where('listing_id', '=', listingId).execute();
};
