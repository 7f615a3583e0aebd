import type { EditionPrices, PriceSpan } from '#contract/catalog/editions/edition-calls.ts';
import { formatCount } from '#contract/count.ts';
import { dollarsOf, formatDollars } from '#contract/money/money.ts';

/** Whole dollars without cents: `$6`, `$6.50`. */
const priceOf = (cents: number): string => formatDollars(dollarsOf(cents)).replace(/\.00$/, '');

/** `$4-9`; one price where both ends are it. */
const spanOf = ({ low, high }: PriceSpan): string =>
  low === high ? priceOf(low) : `${priceOf(low)}-${priceOf(high).slice(1)}`;

/** What is known of prices in a sentence, such as "12 sold for $4-9, 5 asked at $6-11"; `''` where nothing is. */
export const priceHelpOf = ({ asked, sold }: EditionPrices): string =>
  [
    ...(sold === null ? [] : [`${formatCount(sold.count)} sold for ${spanOf(sold)}`]),
    ...(asked === null ? [] : [`${formatCount(asked.count)} asked at ${spanOf(asked)}`]),
  ].join(', ');
