/**
 * What a payment's share was split into: a price, or postage, which has no commission. All in cents; what is left of
 * `amountCents` is the provider's fee.
 */
export interface RefundableShare {
  readonly amountCents: number;
  readonly sellerCents: number;
  readonly commissionCents: number;
}

/** Who gives money back, in cents; `restCents` is fee and rounding, borne by whoever caused the refund. */
export interface RefundParts {
  readonly sellerCents: number;
  readonly commissionCents: number;
  readonly restCents: number;
}

/** Who has given back what, once `refundedCents` of a share are given back in all. */
const givenBack = ({ amountCents, sellerCents, commissionCents }: RefundableShare, refundedCents: number) => {
  const partOf = (cents: number): number => (amountCents === 0 ? 0 : Math.floor((cents * refundedCents) / amountCents));
  const seller = partOf(sellerCents);
  const commission = partOf(commissionCents);
  return { seller, commission, rest: refundedCents - seller - commission };
};

/**
 * What comes off seller, commission and the third part when the money given back of a share grows from `beforeCents` to
 * `afterCents`. Reckoned from the sums and not from the part alone: in any number of parts that together are the whole
 * share the three are the shares of the sale, to the cent. A single part's rest may be below zero by a cent,
 * where earlier roundings are made good.
 *
 * Throws a RangeError where money would come back from the buyer, or more would be given than was paid.
 */
export const partRefund = (share: RefundableShare, beforeCents: number, afterCents: number): RefundParts => {
  if (!(beforeCents >= 0 && beforeCents <= afterCents && afterCents <= share.amountCents))
    throw new RangeError(`From ${beforeCents} to ${afterCents} of ${share.amountCents} cents is no refund.`);
  const before = givenBack(share, beforeCents);
  const after = givenBack(share, afterCents);
  return {
    sellerCents: after.seller - before.seller,
    commissionCents: after.commission - before.commission,
    restCents: after.rest - before.rest,
  };
};
