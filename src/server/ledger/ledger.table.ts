import type { Generated } from 'kysely';

/** Where money can be. `provider` holds it; the others say whose it is, or what it cost. */
export type Account =
  | 'provider'
  | 'provider-fees'
  | 'commission'
  | 'seller'
  /** Owed to a seller once the order is closed. */
  | 'seller-pending'
  | 'owed-to-buyers'
  | 'refund-costs'
  | 'dispute-reserve';

export type PostingKind =
  | 'sale'
  | 'postage'
  | 'stray-payment'
  | 'part-refund'
  | 'refund'
  | 'refund-sent'
  | 'refund-failed'
  | 'release'
  | 'dispute-opened'
  | 'dispute-won'
  | 'dispute-lost';

export interface LedgerTransactionsTable {
  /** bigint: a string on the way out of the driver */
  id: Generated<string>;
  kind: PostingKind;
  reference: string;
  booking_id: string;
  order_id: string | null;
  seller_id: string | null;
  posted_at: Generated<Date>;
}

export interface LedgerEntriesTable {
  transaction_id: string;
  account: Account;
  seller_id: string | null;
  amount_cents: number;
}
