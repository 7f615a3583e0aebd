import type { Trx } from '#server/platform/postgres/db.ts';
import { readPending, readPosting } from './ledger.queries.ts';
import { type Paid, post, about, priceOf } from './post.ts';
import { type Cents, partsOf } from './refund-parts.ts';

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
