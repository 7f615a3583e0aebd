import type { Trx } from '#server/platform/postgres/db.ts';
import { readPending, readPosting } from './ledger.queries.ts';
import { type Paid, post, about } from './post.ts';
import { partsOf, type Cents } from './refund-parts.ts';

/** A part of a payment that is to be given back. */
export interface PartBack {
  /** The refund's row. */
  readonly id: string;
  /** Of the price and of the postage; `before` is what all earlier refunds of the payment gave back of each. */
  readonly priceCents: number;
  readonly postageCents: number;
  readonly before: Cents;
  /** Who carries the provider's fee, which does not come back. */
  readonly borneBy: 'shop' | 'seller';
}

/**
 * A refund was decided: what seller and shop have of that part is the buyer's from now on. The seller's part comes off
 * what is pending of the order first. With the last of it seller and shop have lost their whole shares, in any number
 * of parts.
 */
export const postRefund = async (trx: Trx, paid: Paid, part: PartBack): Promise<boolean> => {
  if ((await readPosting(trx, 'stray-payment', paid.paymentId)) !== undefined) return false;
  const { before } = part;
  const { price, postage } = partsOf(paid, before, part);
  const restCents = price.restCents + postage.restCents;
  const fromSeller = price.sellerCents + postage.sellerCents + (part.borneBy === 'seller' ? restCents : 0);
  const pending = paid.orderId === null ? 0 : await readPending(trx, paid.orderId);
  const fromPending = Math.max(0, Math.min(fromSeller, pending));
  const isAll = before.priceCents + before.postageCents + part.priceCents + part.postageCents === paid.amountCents;
  const isTheirs = fromSeller !== 0;
  return post(
    trx,
    { ...about(paid, isAll ? 'refund' : 'part-refund', part.id), sellerId: isTheirs ? paid.sellerId : null },
    [
      ['seller-pending', fromPending],
      ['seller', fromSeller - fromPending],
      ['commission', price.commissionCents],
      ['refund-costs', part.borneBy === 'seller' ? 0 : restCents],
      ['owed-to-buyers', -(part.priceCents + part.postageCents)],
    ],
  );
};

/** A try of a refund that the provider was asked for. */
export interface SentBack {
  readonly id: string;
  readonly n: number;
  readonly cents: number;
}

/** The provider has given back what a refund decided. */
export const postRefundSent = (trx: Trx, paid: Paid, refund: SentBack): Promise<boolean> =>
  post(trx, { ...about(paid, 'refund-sent', `${refund.id}:${refund.n}`), sellerId: null }, [
    ['owed-to-buyers', refund.cents],
    ['provider', -refund.cents],
  ]);

/** The buyer's bank sent back what was given back: the shop has it again, and owes it to the buyer. */
export const postRefundFailed = (trx: Trx, paid: Paid, refund: SentBack): Promise<boolean> =>
  post(trx, { ...about(paid, 'refund-failed', `${refund.id}:${refund.n}`), sellerId: null }, [
    ['provider', refund.cents],
    ['owed-to-buyers', -refund.cents],
  ]);

/** The operator has paid a refund that the provider could not give back, out of their own bank. */
export const postRefundByHand = (trx: Trx, paid: Paid, refund: SentBack): Promise<boolean> =>
  post(trx, { ...about(paid, 'refund-by-hand', refund.id), sellerId: null }, [
    ['owed-to-buyers', refund.cents],
    ['bank', -refund.cents],
  ]);

/** A lost dispute has cost the shop what was to be refunded and was not sent: the buyer's bank has given it back. */
export const postRefundByBank = (
  trx: Trx,
  paid: Paid,
  refund: { id: string; disputeId: string; cents: number },
): Promise<boolean> =>
  post(trx, { ...about(paid, 'refund-by-bank', `${refund.id}:${refund.disputeId}`), sellerId: null }, [
    ['owed-to-buyers', refund.cents],
    ['refund-costs', -refund.cents],
  ]);

/** An appeal took it back from the bank: the shop owes it to the buyer again. */
export const postRefundOwedAgain = (
  trx: Trx,
  paid: Paid,
  refund: { id: string; disputeId: string; cents: number },
): Promise<boolean> =>
  post(trx, { ...about(paid, 'refund-owed-again', `${refund.id}:${refund.disputeId}`), sellerId: null }, [
    ['refund-costs', refund.cents],
    ['owed-to-buyers', -refund.cents],
  ]);
