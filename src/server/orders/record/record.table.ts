import type { Generated } from 'kysely';

/** What became of a seller's orders, in numbers (src/contract/orders/record.ts). */
export interface SellerRecordsTable {
  seller_id: string;
  orders: Generated<number>;
  posted: Generated<number>;
  posted_in_time: Generated<number>;
  cancelled: Generated<number>;
  upheld: Generated<number>;
  asked: Generated<number>;
  answered: Generated<number>;
}
