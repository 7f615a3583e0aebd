import { LEAST_SALES, LEAST_SELLERS } from '#contract/catalog/editions/edition-calls.ts';

/**
 * Whether what was paid for copies may be told: never where it would say what one seller took (the dominance rule of
 * statistical offices).
 */
export const maySaySold = ({ count, sellers, most }: { count: number; sellers: number; most: number }): boolean =>
  count >= LEAST_SALES && sellers >= LEAST_SELLERS && most * 2 <= count;
