import type { Db } from '#server/platform/postgres/db.ts';

/** How many orders somebody has under way, as their buyer or their seller. */
export const countOpenOrders = async (db: Db, userId: string): Promise<number> => {
  const { count } = await db
    .selectFrom('orders')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where((eb) => eb.or([eb('buyer_id', '=', userId), eb('seller_id', '=', userId)]))
    .where('closed_at', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(count);
};

/** Orders not on their way yet whose seller is not in the shop any more, of one of them or of all, the oldest first. */
export const listAbandonedOrders = async (db: Db, sellerId: string | undefined, limit: number): Promise<string[]> => {
  const rows = await db
    .selectFrom('orders as o')
    .innerJoin('users as s', 's.id', 'o.seller_id')
    .select('o.id')
    .where('o.state', 'in', ['paid', 'ready'])
    .where('o.due_at', 'is not', null)
    .where('s.deleted_at', 'is not', null)
    .$if(sellerId !== undefined, (query) => query.where('o.seller_id', '=', sellerId ?? ''))
    .orderBy('o.created_at')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
};
