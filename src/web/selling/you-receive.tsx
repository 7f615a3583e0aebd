import { decimalText } from '#contract/money/decimal-text.ts';
import { dollarsOf, formatDollars, MAX_PRICE_CENTS, MIN_PRICE_CENTS, parseCents } from '#contract/money/money.ts';
import type { SellingTerms } from '#contract/catalog/selling-terms.ts';
import { feeWords, sharesOf } from '#contract/money/shares.ts';

/** What a seller gets of the price that is typed, or what will be kept of any; undefined where all of it is theirs. */
export const receiveWords = (typed: string, terms: SellingTerms): string | undefined => {
  const fees = feeWords(terms);
  if (fees === undefined) return undefined;
  const cents = parseCents(decimalText(typed));
  if (cents === undefined || cents < MIN_PRICE_CENTS || cents > MAX_PRICE_CENTS) return `Of each sale ${fees}.`;
  const { sellerCents } = sharesOf(cents, terms);
  return `You receive ${formatDollars(dollarsOf(sellerCents))} of ${formatDollars(dollarsOf(cents))}: ${fees}.`;
};

/** Says beside the price what the seller gets of it, as it is typed. */
export const YouReceive = ({ price, terms }: { price: string; terms: SellingTerms }) => (
  <p role="status" className="text-sm text-muted empty:hidden">
    {receiveWords(price, terms)}
  </p>
);
