import type { Trx } from '#server/platform/postgres/db.ts';
import { insertPosting, lockSeller, type Posting } from './ledger.queries.ts';
import type { Account } from './ledger.table.ts';

/** A booking's share of a payment that the provider has taken, as the books know it. */
export interface Paid {
  readonly paymentId: string;
  readonly bookingId: string;
  /** Null for money that bought nothing. */
  readonly orderId: string | null;
  readonly sellerId: string;
  /** Price and postage. */
  readonly amountCents: number;
  readonly postageCents: number;
  /** Of the price. */
  readonly feeCents: number;
  readonly commissionCents: number;
  /** Of the postage. */
  readonly postageFeeCents: number;
}

/**
 * Posts once. Debits are above zero and credits below; accounts of the same name are added up and empty ones left out.
 * The database refuses a posting that does not sum to zero when the transaction ends.
 */
export const post = async (
  trx: Trx,
  posting: Posting,
  entries: readonly (readonly [account: Account, amountCents: number])[],
): Promise<boolean> => {
  // A sale and its postage are pending: nothing that is due changes, and sellers sell without waiting for each other.
  const { kind, sellerId } = posting;
  if (sellerId !== null && kind !== 'sale' && kind !== 'postage') await lockSeller(trx, sellerId);
  const sums = new Map<Account, number>();
  for (const [account, cents] of entries) sums.set(account, (sums.get(account) ?? 0) + cents);
  return insertPosting(
    trx,
    posting,
    [...sums].filter(([, cents]) => cents !== 0),
  );
};

export const about = ({ bookingId, orderId, sellerId }: Paid, kind: Posting['kind'], reference: string): Posting => ({
  kind,
  reference,
  bookingId,
  orderId,
  sellerId,
});

export const priceOf = ({ amountCents, postageCents }: Paid): number => amountCents - postageCents;
