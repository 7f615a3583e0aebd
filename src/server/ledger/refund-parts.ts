import { partRefund, type RefundParts } from '#contract/money/part-refunds.ts';
import { priceOf, type Paid } from './post.ts';

/** Cents of a price and of its postage. */
export interface Cents {
  readonly priceCents: number;
  readonly postageCents: number;
}

/** Who gives back what of a part that follows `before`. */
export const partsOf = (paid: Paid, before: Cents, part: Cents): { price: RefundParts; postage: RefundParts } => {
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
