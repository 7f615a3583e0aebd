import { dollarsOf } from './money.ts';

/** The shop's terms of a sale, in hundredths of a percent and cents. */
export interface SaleTerms {
  readonly feeBasisPoints: number;
  readonly feeCents: number;
  readonly commissionBasisPoints: number;
}

/** What becomes of the price of a sold copy; the three parts are the price, to the cent. */
export interface Shares {
  readonly feeCents: number;
  readonly commissionCents: number;
  readonly sellerCents: number;
}

const WHOLE = 10_000;

/** Half a cent is rounded up, as the provider bills it. */
const nearest = (cents: number, basisPoints: number): number => Math.floor((cents * basisPoints + WHOLE / 2) / WHOLE);

/** Less than a cent is left to the seller. */
const roundedDown = (cents: number, basisPoints: number): number => Math.floor((cents * basisPoints) / WHOLE);

/** What the provider is expected to keep of a payment; never more than it. */
export const feeOf = (amountCents: number, terms: SaleTerms): number =>
  Math.min(amountCents, nearest(amountCents, terms.feeBasisPoints) + terms.feeCents);

/** The shop's commission on a price of which the provider keeps `feeCents`; never more than what is left of it. */
export const commissionOf = (priceCents: number, feeCents: number, terms: SaleTerms): number =>
  Math.min(priceCents - feeCents, roundedDown(priceCents, terms.commissionBasisPoints));

/**
 * Splits a price. The provider's fee comes off first, then the shop's commission on the whole price, each at most what
 * is left; everything else is the seller's, so that no cent is lost and a sale never costs its seller anything.
 */
export const sharesOf = (amountCents: number, terms: SaleTerms): Shares => {
  const feeCents = feeOf(amountCents, terms);
  const commissionCents = commissionOf(amountCents, feeCents, terms);
  return { feeCents, commissionCents, sellerCents: amountCents - feeCents - commissionCents };
};

const percentOf = (basisPoints: number): string => `${basisPoints / 100}%`;

/** Who keeps what of a sale, as its seller reads it before; undefined where nobody keeps anything. */
export const feeWords = ({ feeBasisPoints, feeCents, commissionBasisPoints }: SaleTerms): string | undefined => {
  const fee = [
    ...(feeBasisPoints === 0 ? [] : [percentOf(feeBasisPoints)]),
    ...(feeCents === 0 ? [] : [`$${dollarsOf(feeCents).toFixed(2)}`]),
  ].join(' + ');
  const parts = [
    ...(fee === '' ? [] : [`the payment provider keeps ${fee}`]),
    ...(commissionBasisPoints === 0 ? [] : [`the shop keeps ${percentOf(commissionBasisPoints)}`]),
  ];
  return parts.length === 0 ? undefined : parts.join(' and ');
};
