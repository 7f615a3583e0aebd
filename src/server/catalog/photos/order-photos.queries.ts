import { sql } from 'kysely';
import type { OrderPhoto } from '#contract/catalog/photos.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';

export const listOrderPhotos = async (db: Db, orderId: string): Promise<OrderPhoto[]> => {
  const { rows } = await sql<OrderPhoto>`SELECT p.id, f.width, f.height, f.colour FROM order_photos AS i
      JOIN photos AS p ON p.id = i.photo_id JOIN photo_files AS f ON f.name = p.name
    WHERE i.order_id = ${orderId} ORDER BY i.position`.execute(db);
  return rows;
};

export const insertOrderPhotos = async (trx: Trx, orderId: string, ids: readonly string[]): Promise<void> => {
  await trx
    .insertInto('order_photos')
    .values(ids.map((id, position) => ({ order_id: orderId, position, photo_id: id })))
    .execute();
};

/** Takes a user's photos out of orders; answers which they were. */
export const takeOutOfOrders = async (trx: Trx, userId: string, orderIds: readonly string[]): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`DELETE FROM order_photos AS i USING photos AS p
    WHERE p.id = i.photo_id AND p.owner_id = ${userId} AND i.order_id = ANY (${orderIds}) RETURNING p.id`.execute(trx);
  return rows.map(({ id }) => id);
};
