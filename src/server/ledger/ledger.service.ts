import { feeOf, sharesOf, type SaleTerms } from '#contract/money/shares.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';
import { insertEntries, insertTransaction, readBalances, readPosting, type Posting } from './ledger.queries.ts';
import type { Account } from './ledger.table.ts';

export type { SaleTerms } from '#contract/money/shares.ts';
export type { Account } from './ledger.table.ts';

/** Money of a booking that the provider has taken, as the books know it. */
export interface Paid {
  readonly paymentId: string;
  readonly bookingId: string;
  readonly sellerId: string;
  readonly amountCents: number;
}

/**
 * Posts once. Debits are above zero and credits below; accounts of the same name are added up and empty ones left out.
 * The database refuses a posting that does not sum to zero when the transaction ends.
 */
const post = async (
  trx: Trx,
  posting: Posting,
  entries: readonly (readonly [account: Account, amountCents: number])[],
): Promise<boolean> => {
  const id = await insertTransaction(trx, posting);
  if (id === undefined) return false;
  const sums = new Map<Account, number>();
  for (const [account, cents] of entries) sums.set(account, (sums.get(account) ?? 0) + cents);
  const filled = [...sums].filter(([, cents]) => cents !== 0);
  await insertEntries(trx, id, posting.sellerId, filled);
  return true;
};

const about = ({ bookingId, sellerId }: Paid, kind: Posting['kind'], reference: string): Posting => ({
  kind,
  reference,
  bookingId,
  sellerId,
});

/** A copy was paid for: the provider holds the price; of it the provider, the shop and the seller have their shares. */
export const postSale = (trx: Trx, paid: Paid, terms: SaleTerms): Promise<boolean> => {
  const { feeCents, commissionCents, sellerCents } = sharesOf(paid.amountCents, terms);
  return post(trx, about(paid, 'sale', paid.paymentId), [
    ['provider', paid.amountCents],
    ['provider-fees', -feeCents],
    ['commission', -commissionCents],
    ['seller', -sellerCents],
  ]);
};

/** Money came for a copy that was lost: all of it is the buyer's; the provider's fee is what it costs the shop. */
export const postStrayPayment = (trx: Trx, paid: Paid, terms: SaleTerms): Promise<boolean> => {
  const feeCents = feeOf(paid.amountCents, terms);
  return post(trx, { ...about(paid, 'stray-payment', paid.paymentId), sellerId: null }, [
    ['provider', paid.amountCents],
    ['owed-to-buyers', -paid.amountCents],
    ['refund-costs', feeCents],
    ['provider-fees', -feeCents],
  ]);
};

/**
 * The provider gave back, `refundedCents` of the payment in all by now and `cents` of it just now. A part costs the
 * shop; with the last of it seller and shop lose their shares, and what the provider keeps of the payment is what
 * remains as the cost.
 */
export const postRefund = async (
  trx: Trx,
  paid: Paid,
  { cents, refundedCents }: { cents: number; refundedCents: number },
): Promise<boolean> => {
  const stray = await readPosting(trx, 'stray-payment', paid.paymentId);
  const reference = `${paid.paymentId}:${refundedCents}`;
  if (stray !== undefined) {
    return post(trx, { ...about(paid, 'refund', reference), sellerId: null }, [
      ['provider', -cents],
      ['owed-to-buyers', cents],
    ]);
  }
  const sale = await readPosting(trx, 'sale', paid.paymentId);
  const isAll = refundedCents === paid.amountCents;
  const fromSeller = isAll ? -(sale?.amounts.seller ?? 0) : 0;
  const fromShop = isAll ? -(sale?.amounts.commission ?? 0) : 0;
  return post(trx, { ...about(paid, 'refund', reference), sellerId: fromSeller === 0 ? null : paid.sellerId }, [
    ['provider', -cents],
    ['seller', fromSeller],
    ['commission', fromShop],
    ['refund-costs', cents - fromSeller - fromShop],
  ]);
};

/**
 * A buyer disputes a payment: what its seller is owed is set aside until the dispute is closed; what is not there, the
 * shop sets aside.
 */
export const postDisputeOpened = async (
  trx: Trx,
  paid: Paid,
  dispute: { id: string; amountCents: number; isRefunded: boolean },
): Promise<boolean> => {
  const sale = dispute.isRefunded ? undefined : await readPosting(trx, 'sale', paid.paymentId);
  const fromSeller = Math.min(dispute.amountCents, -(sale?.amounts.seller ?? 0));
  return post(
    trx,
    { ...about(paid, 'dispute-opened', dispute.id), sellerId: fromSeller === 0 ? null : paid.sellerId },
    [
      ['seller', fromSeller],
      ['refund-costs', dispute.amountCents - fromSeller],
      ['dispute-reserve', -dispute.amountCents],
    ],
  );
};

/**
 * A dispute is closed. Won: what was set aside goes back where it came from. Lost: the provider has given it to the
 * buyer; of a whole price the shop gives its commission back towards what it set aside itself.
 */
export const postDisputeClosed = async (
  trx: Trx,
  paid: Paid,
  dispute: { id: string; amountCents: number; won: boolean },
): Promise<boolean> => {
  const opened = await readPosting(trx, 'dispute-opened', dispute.id);
  if (opened === undefined) return false;
  const { amounts, sellerId } = opened;
  if (dispute.won) {
    return post(trx, { ...about(paid, 'dispute-won', dispute.id), sellerId }, [
      ['seller', -(amounts.seller ?? 0)],
      ['refund-costs', -(amounts['refund-costs'] ?? 0)],
      ['dispute-reserve', dispute.amountCents],
    ]);
  }
  const sale = sellerId === null ? undefined : await readPosting(trx, 'sale', paid.paymentId);
  const fromShop = dispute.amountCents === paid.amountCents ? -(sale?.amounts.commission ?? 0) : 0;
  return post(trx, { ...about(paid, 'dispute-lost', dispute.id), sellerId }, [
    ['provider', -dispute.amountCents],
    ['dispute-reserve', dispute.amountCents],
    ['commission', fromShop],
    ['refund-costs', -fromShop],
  ]);
};

/** What is on each account, in cents. */
export const listBalances = (db: Db): Promise<{ account: Account; cents: number }[]> => readBalances(db);
