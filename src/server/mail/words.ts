import { dollarsOf, formatDollars } from '#contract/money.ts';

export const priceWords = (cents: number): string => formatDollars(dollarsOf(cents));
