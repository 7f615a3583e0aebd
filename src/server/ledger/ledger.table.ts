import type { Generated } from 'kysely';

/** Where money can be. `provider` holds it; the others say whose it is, or what it cost. */
export type Account =
  | 'provider'
  | 'provider-fees'
  | 'commission'
  | 'seller'
  /** Owed to a seller once the order is closed. */
  | 'seller-pending'
  /** Asked to go to a seller, and not known to have left. */
  | 'in-transit'
  | 'owed-to-buyers'
  | 'refund-costs'
  | 'dispute-reserve'
  /** The operator's own; below zero: paid out of it. */
  | 'bank';

export type PostingKind =
  | 'sale'
  | 'postage'
  | 'stray-payment'
  | 'part-refund'
  | 'refund'
  | 'refund-sent'
  | 'refund-failed'
  | 'refund-by-hand'
  | 'refund-by-bank'
  | 'refund-owed-again'
  | 'release'
  | 'payout'
  | 'payout-sent'
  | 'payout-refused'
  | 'payout-reversed'
  | 'payout-returned'
  | 'adjustment'
  | 'dispute-opened'
  | 'dispute-won'
  | 'dispute-lost'
  | 'dispute-fee';

export interface LedgerTransactionsTable {
  /** bigint: a string on the way out of the driver */
  id: Generated<string>;
  kind: PostingKind;
  reference: string;
  /** Null where no single booking is concerned. */
  booking_id: string | null;
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
