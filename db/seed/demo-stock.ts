import type { Trx } from '#server/platform/postgres/db.ts';
import {
  insertDemoFile,
  insertDemoKey,
  insertDemoWebhook,
  insertSentFile,
  numberDemoCopies,
} from './demo-stock.queries.ts';

/** As a stock program writes it: some new, one cheaper, one gone, one without a price, one whose ISBN is wrong. */
const SEPTEMBER = [
  'sku,title,author,isbn,price,quantity,condition,description',
  'MB-001,,,,4.50,1,,',
  'MB-002,,,,,0,,',
  'MB-901,The Leopard,Giuseppe Tomasi di Lampedusa,9780375714795,9.00,1,Very Good,"A little sunned along the spine."',
  'MB-902,Gösta Berlings saga,Selma Lagerlöf,,14.00,2,Fine,In Swedish.',
  'MB-903,Zeno’s Conscience,Italo Svevo,,,1,Good,',
  'MB-904,Emma,Jane Austen,9780141439588,6.00,1,Good,',
].join('\r\n');
/** What a spreadsheet writes unless it is asked for CSV. */
const WORKBOOK = Buffer.from([0x50, 0x4b, 0x03, 0x04, 0x14, 0x00, 0x06, 0x00]);

/** How the seller whom people try keeps their stock: by numbers and shelves, with a program of their own. */
export const insertDemoStock = async (trx: Trx, sellerId: string): Promise<void> => {
  await numberDemoCopies(trx, sellerId, 'MB');
  await insertDemoFile(trx, sellerId, 'marlow-books-october.csv');
  // The shop reads them as it would anybody's: one comes to be looked at, of the other it says what is wrong.
  await insertSentFile(trx, sellerId, { name: 'marlow-books.xlsx', bytes: WORKBOOK });
  await insertSentFile(trx, sellerId, { name: 'marlow-books-september.csv', bytes: Buffer.from(SEPTEMBER) });
  await insertDemoKey(trx, sellerId, 'BookTrakker in the shop');
  await insertDemoWebhook(trx, sellerId, 'https://stock.marlow-books.example/dogear');
};
