import type { Trx } from '#server/platform/postgres/db.ts';
import { readPending } from './ledger.queries.ts';
import { type Paid, post, about, priceOf } from './post.ts';

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
