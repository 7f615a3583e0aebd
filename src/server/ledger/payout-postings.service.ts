import type { Trx } from '#server/platform/postgres/db.ts';
import type { Posting } from './ledger.queries.ts';
import { post } from './post.ts';

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
