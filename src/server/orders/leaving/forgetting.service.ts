import { forgetContactOfOrders, forgetPromisedPhotos } from '#server/bookings/buyers/leaving-buyer.service.ts';
import { forgetOrderPhotos } from '#server/catalog/photos/order-photos.service.ts';
import { forgetMessages } from '#server/messages/messages.service.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { forgetPlaces, forgetWords, hasFreshOrders, listOldOrders } from './forgetting.queries.ts';

/** Orders changed at once: well within the time of a statement. */
const BATCH = 500;

/**
 * Forgets where orders went that ended more than `addressDays` ago, but for city and country, and how their buyers were
 * reached. Until then a bank may ask for it.
 */
export const forgetOldAddresses = async (db: Db, addressDays: number): Promise<number> => {
  for (let all = 0; ;) {
    const forgotten = await db.transaction().execute(async (trx) => {
      const orderIds = await forgetPlaces(trx, addressDays, BATCH);
      await forgetContactOfOrders(trx, orderIds);
      return orderIds.length;
    });
    all += forgotten;
    if (forgotten < BATCH) return all;
  }
};

/**
 * Takes what somebody who left wrote out of their orders, once those are so long over that nobody may ask for it.
 * Answers whether nothing is left to be done. Money and moves stay.
 */
export const forgetInOrders = async (db: Db, userId: string, addressDays: number): Promise<boolean> => {
  await forgetWords(db, userId, addressDays);
  await forgetMessages(db, userId, addressDays);
  const orderIds = await listOldOrders(db, userId, addressDays);
  await forgetOrderPhotos(db, { userId, orderIds });
  await forgetPromisedPhotos(db, { sellerId: userId, orderIds });
  return !(await hasFreshOrders(db, userId, addressDays));
};
