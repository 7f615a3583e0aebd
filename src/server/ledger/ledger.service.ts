import { partRefund, type RefundParts } from '#contract/money/part-refunds.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';
import {
  insertPosting,
  lockSeller,
  readBalances,
  readOwed,
  readPending,
  readPosting,
  type Posting,
} from './ledger.queries.ts';
import type { Account } from './ledger.table.ts';

export type { SaleTerms } from '#contract/money/shares.ts';
export type { Account } from './ledger.table.ts';
export { readAccounts as accountsOf } from './statement.queries.ts';
export { listDueOrders, lockSeller, readDue, type OrderDue } from './ledger.queries.ts';

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
const post = async (
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

const about = ({ bookingId, orderId, sellerId }: Paid, kind: Posting['kind'], reference: string): Posting => ({
  kind,
  reference,
  bookingId,
  orderId,
  sellerId,
});

const priceOf = ({ amountCents, postageCents }: Paid): number => amountCents - postageCents;

/**
 * A copy was paid for: the provider holds the price; of it the provider, the shop and the seller have their shares, the
 * seller once the order is closed.
 */
export const postSale = (trx: Trx, paid: Paid): Promise<boolean> => {
  const { feeCents, commissionCents } = paid;
  return post(trx, about(paid, 'sale', paid.paymentId), [
    ['provider', priceOf(paid)],
    ['provider-fees', -feeCents],
    ['commission', -commissionCents],
    ['seller-pending', feeCents + commissionCents - priceOf(paid)],
  ]);
};

/** The postage of an order was paid: all of it but the provider's fee is the seller's. */
export const postPostage = async (trx: Trx, all: readonly Paid[]): Promise<boolean> => {
  const [first] = all;
  const postageCents = all.reduce((sum, paid) => sum + paid.postageCents, 0);
  const feeCents = all.reduce((sum, paid) => sum + paid.postageFeeCents, 0);
  if (first === undefined || first.orderId === null || postageCents === 0) return false;
  return post(trx, about(first, 'postage', first.orderId), [
    ['provider', postageCents],
    ['provider-fees', -feeCents],
    ['seller-pending', feeCents - postageCents],
  ]);
};

/** Money came for a copy that was lost: all of it is the buyer's; the provider's fee is what it costs the shop. */
export const postStrayPayment = (trx: Trx, paid: Paid): Promise<boolean> => {
  const feeCents = paid.feeCents + paid.postageFeeCents;
  return post(trx, { ...about(paid, 'stray-payment', paid.paymentId), sellerId: null }, [
    ['provider', paid.amountCents],
    ['owed-to-buyers', -paid.amountCents],
    ['refund-costs', feeCents],
    ['provider-fees', -feeCents],
  ]);
};

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

/** Cents of a price and of its postage. */
interface Cents {
  readonly priceCents: number;
  readonly postageCents: number;
}

/** Who gives back what of a part that follows `before`. */
const partsOf = (paid: Paid, before: Cents, part: Cents): { price: RefundParts; postage: RefundParts } => {
  const sellerCents = priceOf(paid) - paid.feeCents - paid.commissionCents;
  const { commissionCents } = paid;
  return {
    price: partRefund(
      { amountCents: priceOf(paid), sellerCents, commissionCents },
      before.priceCents,
      before.priceCents + part.priceCents,
    ),
    postage: partRefund(
      { amountCents: paid.postageCents, sellerCents: paid.postageCents - paid.postageFeeCents, commissionCents: 0 },
      before.postageCents,
      before.postageCents + part.postageCents,
    ),
  };
};

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

/** An order is closed: what was pending of it is its seller's. */
export const postRelease = async (
  trx: Trx,
  order: { id: string; bookingId: string; sellerId: string },
): Promise<boolean> => {
  const cents = await readPending(trx, order.id);
  if (cents === 0) return false;
  const { id: orderId, bookingId, sellerId } = order;
  return post(trx, { kind: 'release', reference: orderId, orderId, bookingId, sellerId }, [
    ['seller-pending', cents],
    ['seller', -cents],
  ]);
};

/**
 * A buyer disputes a payment: what its seller has of it is set aside until the dispute is closed, what is pending
 * first; what is not there, the shop sets aside.
 */
export const postDisputeOpened = async (
  trx: Trx,
  paid: Paid,
  dispute: { reference: string; amountCents: number; refunded: Cents },
): Promise<boolean> => {
  const { refunded } = dispute;
  const left = {
    priceCents: priceOf(paid) - refunded.priceCents,
    postageCents: paid.postageCents - refunded.postageCents,
  };
  const { price, postage } = partsOf(paid, refunded, left);
  const fromSeller = paid.orderId === null ? 0 : Math.min(dispute.amountCents, price.sellerCents + postage.sellerCents);
  const pending = paid.orderId === null ? 0 : await readPending(trx, paid.orderId);
  const fromPending = Math.max(0, Math.min(fromSeller, pending));
  return post(
    trx,
    { ...about(paid, 'dispute-opened', dispute.reference), sellerId: fromSeller === 0 ? null : paid.sellerId },
    [
      ['seller-pending', fromPending],
      ['seller', fromSeller - fromPending],
      ['refund-costs', dispute.amountCents - fromSeller],
      ['dispute-reserve', -dispute.amountCents],
    ],
  );
};

/**
 * A dispute is closed. Won: what was set aside goes back where it came from; what was pending of an order that is over
 * by now goes to the seller. Won on appeal, after it was lost, what the loss cost comes back as well. Lost: the
 * provider has given it to the buyer; of a whole price the shop gives its commission back towards what it set aside
 * itself.
 */
export const postDisputeClosed = async (
  trx: Trx,
  paid: Paid,
  dispute: { references: readonly string[]; amountCents: number; won: boolean; isOver: boolean },
): Promise<boolean> => {
  let [reference, opened]: [string, Awaited<ReturnType<typeof readPosting>>] = ['', undefined];
  for (const each of dispute.references) {
    opened ??= await readPosting(trx, 'dispute-opened', each);
    if (reference === '' && opened !== undefined) reference = each;
  }
  if (opened === undefined) return false;
  const { amounts, sellerId } = opened;
  if (dispute.won) {
    const pending = amounts['seller-pending'] ?? 0;
    const lost = (await readPosting(trx, 'dispute-lost', reference))?.amounts;
    return post(trx, { ...about(paid, 'dispute-won', reference), sellerId }, [
      ['seller-pending', dispute.isOver ? 0 : -pending],
      ['seller', -(amounts.seller ?? 0) - (dispute.isOver ? pending : 0)],
      ['refund-costs', -(amounts['refund-costs'] ?? 0) - (lost?.['refund-costs'] ?? 0)],
      ['commission', -(lost?.commission ?? 0)],
      [lost === undefined ? 'dispute-reserve' : 'provider', dispute.amountCents],
    ]);
  }
  const fromShop = sellerId !== null && dispute.amountCents === paid.amountCents ? paid.commissionCents : 0;
  return post(trx, { ...about(paid, 'dispute-lost', reference), sellerId }, [
    ['provider', -dispute.amountCents],
    ['dispute-reserve', dispute.amountCents],
    ['commission', fromShop],
    ['refund-costs', -fromShop],
  ]);
};

/**
 * The provider keeps a fee for a dispute, whoever wins it, and may give it back: it is the shop's, and no part of what
 * the order's sides have.
 */
export const postDisputeFee = (
  trx: Trx,
  paid: Paid,
  { id, beforeCents, feeCents }: { id: string; beforeCents: number; feeCents: number },
): Promise<boolean> =>
  post(trx, { ...about(paid, 'dispute-fee', `${id}:${beforeCents}:${feeCents}`), orderId: null, sellerId: null }, [
    ['refund-costs', feeCents - beforeCents],
    ['provider-fees', beforeCents - feeCents],
  ]);

/** Money that is to go to its seller. */
export interface PaidOut {
  /** The payout's row. */
  readonly id: string;
  readonly orderId: string | null;
  readonly bookingId: string | null;
  readonly sellerId: string;
  readonly cents: number;
}

const ofPayout = ({ orderId, bookingId, sellerId }: PaidOut, kind: Posting['kind'], reference: string): Posting => ({
  kind,
  reference,
  bookingId,
  orderId,
  sellerId,
});

/** A payout is asked for: from now on the seller is not due it any more, so that nothing is asked for twice. */
export const postPayout = (trx: Trx, payout: PaidOut): Promise<boolean> =>
  post(trx, ofPayout(payout, 'payout', payout.id), [
    ['seller', payout.cents],
    ['in-transit', -payout.cents],
  ]);

/** The provider has sent a payout from what it holds for the shop; one by hand comes from the shop's own bank. */
export const postPayoutSent = (trx: Trx, payout: PaidOut, way: 'connect' | 'manual'): Promise<boolean> =>
  post(trx, ofPayout(payout, 'payout-sent', payout.id), [
    ['in-transit', payout.cents],
    [way === 'connect' ? 'provider' : 'bank', -payout.cents],
  ]);

/** A payout was refused, or struck off: the seller is due it as before. */
export const postPayoutRefused = (trx: Trx, payout: PaidOut): Promise<boolean> =>
  post(trx, ofPayout(payout, 'payout-refused', payout.id), [
    ['in-transit', payout.cents],
    ['seller', -payout.cents],
  ]);

/** The provider gave a part of a payout back, from what the seller still had there; `id` is the reversal's row. */
export const postPayoutReversed = (trx: Trx, reversal: PaidOut): Promise<boolean> =>
  post(trx, ofPayout(reversal, 'payout-reversed', reversal.id), [
    ['provider', reversal.cents],
    ['seller', -reversal.cents],
  ]);

/** The bank sent back what was paid by hand: the seller is due it again. */
export const postPayoutReturned = (trx: Trx, payout: PaidOut): Promise<boolean> =>
  post(trx, ofPayout(payout, 'payout-returned', payout.id), [
    ['bank', payout.cents],
    ['seller', -payout.cents],
  ]);

/** A correction of what a seller is due, above zero where it is theirs more; never of money that is somewhere. */
export const postAdjustment = (
  trx: Trx,
  adjustment: { id: string; sellerId: string; cents: number; account: 'refund-costs' | 'commission' },
): Promise<boolean> => {
  const { id, sellerId, cents, account } = adjustment;
  return post(trx, { kind: 'adjustment', reference: id, bookingId: null, orderId: null, sellerId }, [
    [account, cents],
    ['seller', -cents],
  ]);
};

/** What a seller is owed, due, pending and on its way, in cents; below zero where it is they who owe. */
export const owedTo = (db: Db, sellerId: string): Promise<number> => readOwed(db, sellerId);

/** What is on each account, in cents. */
export const listBalances = (db: Db): Promise<{ account: Account; cents: number }[]> => readBalances(db);
