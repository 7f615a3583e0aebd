import { IDENTITY_ROWS } from './identity-rows.ts';
import { CATALOG_ROWS } from './catalog-rows.ts';
import { ORDER_ROWS } from './order-rows.ts';
import { EARNING_ROWS } from './earning-rows.ts';
import { BY_HAND_ROWS } from './by-hand-rows.ts';
import { NOTICE_ROWS } from './notice-rows.ts';
import { REVIEW_ROWS } from './review-rows.ts';
import { MESSAGE_ROWS } from './message-rows.ts';
import { PROGRAM_ROWS } from './program-rows.ts';
import { REPORT_ROWS } from './report-rows.ts';
import { SELLER_ROWS } from './seller-rows.ts';
import { WANT_ROWS, WATCH_ROWS } from './want-rows.ts';
import { STOCK_ROWS } from './stock-rows.ts';
import { MONEY_ROWS } from './money-rows.ts';
import type { Row } from './row.ts';

/**
 * Every route of the API and what it answers to whom. `other` is a buyer (or a seller, where the call is about a
 * seller's things) whose it is not. Who was deleted, has an expired token or an ended session is no one.
 */
export const ROWS: readonly Row[] = [
  ...IDENTITY_ROWS,
  ...CATALOG_ROWS,
  ...ORDER_ROWS,
  ...EARNING_ROWS,
  ...BY_HAND_ROWS,
  ...NOTICE_ROWS,
  ...REVIEW_ROWS,
  ...MESSAGE_ROWS,
  ...PROGRAM_ROWS,
  ...REPORT_ROWS,
  ...SELLER_ROWS,
  ...WANT_ROWS,
  ...WATCH_ROWS,
  ...STOCK_ROWS,
  ...MONEY_ROWS,
];
