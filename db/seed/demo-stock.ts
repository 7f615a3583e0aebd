import type { Trx } from '#server/platform/postgres/db.ts';
import { insertDemoFile, insertDemoKey, insertDemoWebhook, numberDemoCopies } from './demo-stock.queries.ts';

/** How the seller whom people try keeps their stock: by numbers and shelves, with a program of their own. */
export const insertDemoStock = async (trx: Trx, sellerId: string): Promise<void> => {
  await numberDemoCopies(trx, sellerId, 'MB');
  await insertDemoFile(trx, sellerId, 'marlow-books-october.csv');
  await insertDemoKey(trx, sellerId, 'BookTrakker in the shop');
  await insertDemoWebhook(trx, sellerId, 'https://stock.marlow-books.example/dogear');
};
