import { dollarsOf, formatDollars } from '#contract/money/money.ts';

export const priceWords = (cents: number): string => formatDollars(dollarsOf(cents));
