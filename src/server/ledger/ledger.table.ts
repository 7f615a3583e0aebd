import type { Generated } from 'kysely';

/** Where money can be. `provider` holds it; the others say whose it is, or what it cost. */
export type Account =
  'provider' | 'provider-fees' | 'commission' | 'seller' | 'owed-to-buyers' | 'refund-costs' | 'dispute-reserve';

export type PostingKind = 'sale' | 'stray-payment' | 'refund' | 'dispute-opened' | 'dispute-won' | 'dispute-lost';

export interface LedgerTransactionsTable {
  /** bigint: a string on the way out of the driver */
  id: Generated<string>;
  kind: PostingKind;
  reference: string;
  booking_id: string;
  seller_id: string | null;
  posted_at: Generated<Date>;
}

export interface LedgerEntriesTable {
  transaction_id: string;
  account: Account;
  seller_id: string | null;
  amount_cents: number;
}
