import type { ShopCalendar } from '#contract/orders/deadlines.ts';
import { EMPTY_RECORD, recordOfOrders, type SellerRecord } from '#contract/orders/record.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';
import { addToRecord, findRecord, hasRecord, insertRecord, listEnded, listUnrecorded } from './record.queries.ts';

/** Sellers whose record one round makes. */
const BATCH = 200;

/** The record of a seller made out of all their orders, whatever is written down. */
export const recordAnew = async (db: Db, sellerId: string, calendar: ShopCalendar): Promise<SellerRecord> =>
  recordOfOrders(await listEnded(db, { sellerId }), calendar);

/** Adds an order that has just ended to its seller's record, in the transaction that ends it. */
export const addEndedOrder = async (
  trx: Trx,
  { orderId, sellerId }: { orderId: string; sellerId: string },
  calendar: ShopCalendar,
): Promise<void> => {
  const one = recordOfOrders(await listEnded(trx, { orderId }), calendar);
  // The first of a shop that kept no records: those before it count as well.
  const whole = (await hasRecord(trx, sellerId)) ? one : await recordAnew(trx, sellerId, calendar);
  await addToRecord(trx, sellerId, { one, whole });
};

/** Makes the records that are missing, as of orders from before there were any; answers how many. */
export const makeMissingRecords = async (db: Db, calendar: ShopCalendar): Promise<number> => {
  const sellers = await listUnrecorded(db, BATCH);
  for (const sellerId of sellers) await insertRecord(db, sellerId, await recordAnew(db, sellerId, calendar));
  return sellers.length;
};

/** What became of a seller's orders so far. */
export const readRecord = async (db: Db, sellerId: string): Promise<SellerRecord> =>
  (await findRecord(db, sellerId)) ?? EMPTY_RECORD;
