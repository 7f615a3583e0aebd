import { LEAST_SALES, LEAST_SELLERS } from '#contract/catalog/editions/edition-calls.ts';

/** Fewer points show no course. */
const LEAST_MONTHS = 2;

/**
 * Whether what was paid for copies may be told: never where it would say what one seller took (the dominance rule of
 * statistical offices).
 */
export const maySaySold = ({ count, sellers, most }: { count: number; sellers: number; most: number }): boolean =>
  count >= LEAST_SALES && sellers >= LEAST_SELLERS && most * 2 <= count;

/**
 * The months whose prices may be told, each by its own sales: a month of few would tell what one person took. One month
 * alone is no history.
 */
export const tellableMonths = <Month extends Parameters<typeof maySaySold>[0]>(months: readonly Month[]): Month[] => {
  const told = months.filter(maySaySold);
  return told.length >= LEAST_MONTHS ? told : [];
};
