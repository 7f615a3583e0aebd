import {
  SALES_WEEKS,
  SHOP_WEEKS,
  type DashboardCharts,
  type SalesWeek,
  type ShopWeek,
} from '#contract/money/charts.ts';
import { formatCount } from '#contract/count.ts';
import { dollarsOf, formatDollars } from '#contract/money/money.ts';
import { drawBars, type BarRow } from '#server/platform/charts/bars.ts';
import { dayLabel } from '#server/platform/charts/marks.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { requireSignedIn, type Viewer } from '#server/platform/viewer.ts';
import { listSalesWeeks, listShopWeeks } from './charts.queries.ts';

/** Whole dollars without cents: `$400`. */
const writeDollars = (dollars: number): string => formatDollars(dollars).replace(/\.00$/, '');

/** A row of bars with what all of them are together. */
const barsOf = <Week>(
  title: string,
  weeks: readonly Week[],
  valueOf: (week: Week) => number,
  write = formatCount,
): BarRow => {
  const values = weeks.map(valueOf);
  const sum = values.reduce((all, value) => all + value, 0);
  return { title, note: `${write(sum)} in ${weeks.length} weeks`, values, write };
};

/** The weeks as SVG; empty where nothing happened in any of them. */
const draw = (what: string, weeks: readonly { readonly week: string }[], rows: readonly BarRow[]): string => {
  if (rows.every(({ values }) => values.every((value) => value === 0))) return '';
  return drawBars({
    name: `${what} by week: ${rows.map(({ title, note }) => `${title.toLowerCase()} ${note}`).join(', ')}.`,
    labels: weeks.map(({ week }) => dayLabel(week)),
    last: 'this week',
    rows,
  });
};

const readSales = async (db: Db, sellerId: string, timeZone: string): Promise<DashboardCharts['seller']> => {
  const facts = await listSalesWeeks(db, sellerId, { weeks: SALES_WEEKS, timeZone });
  const weeks: SalesWeek[] = facts.map(({ earnedCents, ...week }) => ({ ...week, earned: dollarsOf(earnedCents) }));
  const svg = draw('Your sales', weeks, [
    barsOf('Books sold', weeks, ({ sold }) => sold),
    barsOf('Earned', weeks, ({ earned }) => earned, writeDollars),
  ]);
  return { weeks, svg };
};

const readShop = async (db: Db, timeZone: string): Promise<DashboardCharts['admin']> => {
  const facts = await listShopWeeks(db, { weeks: SHOP_WEEKS, timeZone });
  const weeks: ShopWeek[] = facts.map(({ paidCents, refundedCents, ...week }) => ({
    ...week,
    paid: dollarsOf(paidCents),
    refunded: dollarsOf(refundedCents),
  }));
  const svg = draw('The shop', weeks, [
    barsOf('Orders', weeks, ({ orders }) => orders),
    barsOf('Sold', weeks, ({ paid }) => paid, writeDollars),
    barsOf('Refunded', weeks, ({ refunded }) => refunded, writeDollars),
    barsOf('Disputes', weeks, ({ disputes }) => disputes),
    barsOf('New sellers', weeks, ({ newSellers }) => newSellers),
  ]);
  return { weeks, svg };
};

/** The weeks of each role that the viewer has, by the calendar of `timeZone`; 401 for visitors. */
export const readDashboardCharts = async (db: Db, viewer: Viewer, timeZone: string): Promise<DashboardCharts> => {
  const user = requireSignedIn(viewer);
  const [seller, admin] = await Promise.all([
    user.isSeller ? readSales(db, user.userId, timeZone) : undefined,
    user.isAdmin ? readShop(db, timeZone) : undefined,
  ]);
  return { ...(seller && { seller }), ...(admin && { admin }) };
};
