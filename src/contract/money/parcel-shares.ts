import { commissionOf, feeOf, type SaleTerms } from './shares.ts';

/** A book of one payment: its price and its part of the postage, in cents. */
export interface ParcelBook {
  readonly priceCents: number;
  readonly postageCents: number;
}

/** What becomes of a book's price and postage; the parts of each add up to it, to the cent. */
export interface ParcelShare extends ParcelBook {
  readonly priceFeeCents: number;
  readonly postageFeeCents: number;
  readonly commissionCents: number;
  readonly sellerPriceCents: number;
  readonly sellerPostageCents: number;
}

/** An amount that bears a part of the fee. */
interface Bearer {
  readonly amountCents: number;
  /** What it bears at most while another can bear the rest. */
  readonly mostCents: number;
}

/** Hands out `left` cents, one to each in turn, as long as any has room; answers what found none. */
const handOut = (cents: number[], turns: readonly number[], left: number, limits: readonly number[]): number => {
  let rest = left;
  for (let before = -1; rest > 0 && rest !== before;) {
    before = rest;
    for (const turn of turns) {
      const had = cents[turn] ?? 0;
      if (rest === 0 || had >= (limits[turn] ?? 0)) continue;
      cents[turn] = had + 1;
      rest -= 1;
    }
  }
  return rest;
};

/**
 * Splits a fee by amount with largest remainders, of equal ones the earlier first. A cent that would bring one above
 * what it bears at most goes to the next. Where nobody has room, which only a fee without a fixed part brings about,
 * the rest is handed out all the same: the parts are the fee, always.
 */
const splitFee = (feeCents: number, bearers: readonly Bearer[]): number[] => {
  const total = bearers.reduce((sum, { amountCents }) => sum + amountCents, 0);
  if (total === 0) return bearers.map(() => 0);
  const weighed = bearers.map(({ amountCents }) => amountCents * feeCents);
  const cents = weighed.map((weight) => Math.floor(weight / total));
  const remainder = (turn: number): number => (weighed[turn] ?? 0) % total;
  const turns = bearers.map((_, turn) => turn).toSorted((a, b) => remainder(b) - remainder(a) || a - b);
  const left = feeCents - cents.reduce((sum, part) => sum + part, 0);
  const most = bearers.map(({ mostCents }) => mostCents);
  const unborne = handOut(cents, turns, left, most);
  const amounts = bearers.map(({ amountCents }) => amountCents);
  handOut(cents, turns, unborne, amounts);
  return cents;
};

/**
 * Splits one payment over its books, in the order of their bookings. The provider's fee is reckoned once on all of it
 * and borne by prices and postage in proportion, no price bearing more than it would alone, so that its seller gets at
 * least what was said (`sharesOf`). The commission is on prices only; all postage but its fee is the seller's.
 *
 * Exact as long as the whole payment times its fee, in cents, is below 2^53.
 */
export const parcelShares = (books: readonly ParcelBook[], terms: SaleTerms): ParcelShare[] => {
  const total = books.reduce((sum, { priceCents, postageCents }) => sum + priceCents + postageCents, 0);
  const fees = splitFee(feeOf(total, terms), [
    ...books.map(({ priceCents }) => ({ amountCents: priceCents, mostCents: feeOf(priceCents, terms) })),
    ...books.map(({ postageCents }) => ({ amountCents: postageCents, mostCents: postageCents })),
  ]);
  return books.map(({ priceCents, postageCents }, at) => {
    const priceFeeCents = fees[at] ?? 0;
    const postageFeeCents = fees[books.length + at] ?? 0;
    const commissionCents = commissionOf(priceCents, priceFeeCents, terms);
    return {
      priceCents,
      postageCents,
      priceFeeCents,
      postageFeeCents,
      commissionCents,
      sellerPriceCents: priceCents - priceFeeCents - commissionCents,
      sellerPostageCents: postageCents - postageFeeCents,
    };
  });
};
