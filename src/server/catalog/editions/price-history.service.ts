import type { EditionAnswer, SoldHistory } from '#contract/catalog/editions/edition-page.ts';
import { dollarsOf, formatDollars } from '#contract/money/money.ts';
import { monthLabel } from '#server/platform/charts/marks.ts';
import { drawRanges } from '#server/platform/charts/ranges.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { tellableMonths } from './prices.policy.ts';
import { listSoldMonths } from './prices.queries.ts';

const MONTHS = 12;

/** Whole dollars: `$6`. */
const write = (cents: number): string => formatDollars(dollarsOf(cents)).replace(/\.00$/, '');

/** The months from `first` to `last`, as 2026-10. */
const monthsBetween = (first: string, last: string): string[] => {
  const [year = 0, month = 0] = last.split('-').map(Number);
  return Array.from({ length: MONTHS }, (_, at) =>
    new Date(Date.UTC(year, month - MONTHS + at, 1)).toISOString().slice(0, 7),
  ).filter((one) => one >= first);
};

/** The months that are told, among all since the first of them: what is not told stays empty. */
const draw = ({ condition, months }: Omit<SoldHistory, 'svg'>, lastMonth: string): string => {
  const all = monthsBetween(months[0]?.month ?? lastMonth, lastMonth);
  const said = months.map(({ month, low, high }) => `${monthLabel(month)} ${write(low)} to ${write(high)}`);
  return drawRanges({
    name: `What copies in condition ${condition} were sold for, the middle half of each month: ${said.join(', ')}.`,
    labels: all.map(monthLabel),
    ranges: all.map((month) => months.find((one) => one.month === month)),
    write,
  });
};

/**
 * How the prices that `prices` tells of an edition went, by condition. Of all conditions together nothing is told, as
 * with `prices` themselves.
 */
export const readHistory = async (
  db: Db,
  { prices, ...of }: { isbn13: string; timeZone: string } & Pick<EditionAnswer, 'prices'>,
): Promise<SoldHistory[]> => {
  // Most editions were not sold often enough: nothing is asked for them.
  const told = prices.filter(({ sold }) => sold !== null);
  if (told.length === 0) return [];
  const sold = await listSoldMonths(db, of);
  return told.flatMap(({ condition }) => {
    const tellable = tellableMonths(sold.filter((month) => month.condition === condition));
    const [first] = tellable;
    if (first === undefined) return [];
    const history = { condition, months: tellable.map(({ month, low, high }) => ({ month, low, high })) };
    return [{ ...history, svg: draw(history, first.lastMonth) }];
  });
};
