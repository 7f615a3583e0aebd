import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { formatCount } from '#contract/count.ts';
import { formatDollars } from '#contract/money/money.ts';
import type { DashboardCharts, SalesWeek, ShopWeek } from '#contract/money/charts.ts';
import { formatDate } from '#contract/time.ts';
import { Chart, Figures, type ChartColumn } from '#web/ui/chart/chart.tsx';
import { Table, type Column } from '#web/ui/table/table.tsx';

const Figure = ({ children }: { children: ReactNode }) => (
  <span className="whitespace-nowrap tabular-nums">{children}</span>
);

/** The day a week began with is a day of the shop's calendar, wherever it is read. */
const WEEK: ChartColumn<{ week: string }> = {
  header: 'Week of',
  cell: ({ week }) => <span className="font-medium whitespace-nowrap">{formatDate(week, 'UTC')}</span>,
};

const counted = <Row,>(header: string, countOf: (row: Row) => number): ChartColumn<Row> => ({
  header,
  end: true,
  cell: (row) => <Figure>{formatCount(countOf(row))}</Figure>,
});

const paid = <Row,>(header: string, dollarsOf: (row: Row) => number): ChartColumn<Row> => ({
  header,
  end: true,
  cell: (row) => <Figure>{formatDollars(dollarsOf(row))}</Figure>,
});

const SALES: readonly ChartColumn<SalesWeek>[] = [
  WEEK,
  counted('Books sold', ({ sold }) => sold),
  paid('Earned', ({ earned }) => earned),
];

const SHOP: readonly Column<ShopWeek>[] = [
  { ...WEEK, lead: true },
  { ...counted('Orders', ({ orders }: ShopWeek) => orders), brief: true },
  { ...paid('Sold', ({ paid: dollars }: ShopWeek) => dollars), brief: true },
  paid('Refunded', ({ refunded }) => refunded),
  counted('Disputes', ({ disputes }) => disputes),
  counted('New sellers', ({ newSellers }) => newSellers),
];

/** The newest week first, as every list here. */
const newestFirst = <Row extends { week: string }>(weeks: readonly Row[]) => ({
  rows: weeks.toReversed(),
  rowKey: ({ week }: Row) => week,
});

const Part = ({ id, title, children }: { id: string; title: string; children: ReactNode }) => (
  <section className="mb-8" aria-labelledby={id}>
    <h2 id={id} className="mb-3 font-serif text-xl font-semibold">
      {title}
    </h2>
    {children}
  </section>
);

const Sales = ({ weeks, svg }: NonNullable<DashboardCharts['seller']>) => (
  <Part id="sales-weeks" title="Your sales by week">
    {svg === '' ? (
      <p className="max-w-prose text-muted">
        {`Nothing sold in the last ${weeks.length} weeks. Your sales appear here week by week as soon as a book is paid for; `}
        <Link to="/dashboard/my_products" className="text-link">
          look at what you have listed
        </Link>
        .
      </p>
    ) : (
      <Chart
        svg={svg}
        table={<Figures caption="Your sales by week, newest first" columns={SALES} {...newestFirst(weeks)} />}
      >
        Weeks begin on Monday. What was refunded is not counted; earned is after fees, with postage.
      </Chart>
    )}
  </Part>
);

const Shop = ({ weeks, svg }: NonNullable<DashboardCharts['admin']>) => (
  <Part id="shop-weeks" title="The shop by week">
    {svg === '' ? (
      <p className="max-w-prose text-muted">
        {`No order, refund, dispute or new seller in the last ${weeks.length} weeks. They appear here week by week.`}
      </p>
    ) : (
      <Chart
        svg={svg}
        table={
          <Table
            caption="The shop by week, newest first"
            columns={SHOP}
            {...newestFirst(weeks)}
            nameOf={({ week }) => `the week of ${formatDate(week, 'UTC')}`}
          />
        }
      >
        Weeks begin on Monday. Sold is what buyers paid, with postage; refunds count in the week they were made.
      </Chart>
    )}
  </Part>
);

/** The weeks of whoever looks: a seller's sales, and the shop's for admins. */
export const WeekCharts = ({ charts: { seller, admin } }: { charts: DashboardCharts }) => (
  <>
    {admin !== undefined && <Shop {...admin} />}
    {seller !== undefined && <Sales {...seller} />}
  </>
);
