import type { DeletedListing } from '#contract/admin/restoring.ts';
import { dollarsOf } from '#contract/money/money.ts';
import { limitOf, pageOf, positionOf } from '#server/platform/cursor.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';
import { listWithdrawnRows, reshelve, reshelveOf } from './restoring.queries.ts';

/**
 * Copies that can be restored, the newest deletion first; 400 for a foreign cursor. The caller says who may read it.
 */
export const listRestorable = async (
  db: Db,
  input: { limit?: string | undefined; cursor?: string | undefined },
): Promise<{ rows: DeletedListing[]; next?: string }> => {
  const limit = limitOf(input.limit);
  const found = await listWithdrawnRows(db, { limit: limit + 1, after: positionOf(input.cursor) });
  const page = pageOf(found, limit);
  return {
    ...page,
    rows: page.rows.map(({ id, title, seller, priceCents, at }) => ({
      _id: id,
      title,
      seller,
      price: dollarsOf(priceCents),
      deletedAt: at,
    })),
  };
};

/** Puts a deleted copy back on the shelf; answers its title, undefined when it cannot be restored. */
export const restoreCopy = (trx: Trx, id: string): Promise<string | undefined> => reshelve(trx, id);

/** Puts the copies back that went with their seller at `since`, whose row is no longer deleted; answers how many. */
export const restoreCopiesOf = (trx: Trx, sellerId: string, since: Date): Promise<number> =>
  reshelveOf(trx, sellerId, since);
