import type { Db, Trx } from '#server/platform/postgres/db.ts';
import { chooseOwnPhotos } from './chosen-photos.service.ts';
import { deleteFree, keepPhotos, lockPhotos } from './listing-photos.queries.ts';
import { insertOrderPhotos, takeOutOfOrders } from './order-photos.queries.ts';

export { listOrderPhotos } from './order-photos.queries.ts';

/** Shows a user's photos to those whom an order concerns; 400 where one is not theirs, is gone or comes twice. */
export const giveOrderPhotos = async (
  trx: Trx,
  { orderId, ownerId, ids }: { orderId: string; ownerId: string; ids: readonly string[] },
): Promise<void> => {
  if (ids.length === 0) return;
  const chosen = await chooseOwnPhotos(trx, ownerId, ids);
  await insertOrderPhotos(trx, orderId, chosen);
  await keepPhotos(trx, chosen);
};

/** Takes what somebody who left has shown out of orders that are long over; it is gone within a minute. */
export const forgetOrderPhotos = (
  db: Db,
  { userId, orderIds }: { userId: string; orderIds: readonly string[] },
): Promise<void> =>
  db.transaction().execute(async (trx) => {
    const ids = await takeOutOfOrders(trx, userId, orderIds);
    if (ids.length === 0) return;
    await lockPhotos(trx, ids);
    await deleteFree(trx, ids);
  });
