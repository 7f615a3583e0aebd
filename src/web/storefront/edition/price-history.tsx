import { LEAST_SALES, LEAST_SELLERS } from '#contract/catalog/editions/edition-calls.ts';
import type { SoldHistory } from '#contract/catalog/editions/edition-page.ts';
import { dollarsOf, formatDollars } from '#contract/money/money.ts';
import { formatDate } from '#contract/time.ts';
import { Chart, Figures, type ChartColumn } from '#web/ui/chart/chart.tsx';

const priced = (header: string, centsOf: (month: SoldHistory['months'][number]) => number) =>
  ({
    header,
    end: true,
    cell: (month) => <span className="tabular-nums">{formatDollars(dollarsOf(centsOf(month)))}</span>,
  }) satisfies ChartColumn<SoldHistory['months'][number]>;

const COLUMNS: readonly ChartColumn<SoldHistory['months'][number]>[] = [
  {
    header: 'Month',
    cell: ({ month }) => <span className="font-medium">{formatDate(month, 'UTC').replace(/ \d+,/, '')}</span>,
  },
  priced('From', ({ low }) => low),
  priced('To', ({ high }) => high),
];

/** How what copies in a condition were sold for here went, month by month. */
export const PriceHistory = ({ history: { condition, months, svg } }: { history: SoldHistory }) => {
  const id = `history-${condition}`;
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="mb-3 font-serif text-xl font-semibold">
        {`What it sold for, month by month: ${condition}`}
      </h2>
      <Chart
        svg={svg}
        table={
          <Figures
            caption={`What copies in condition ${condition} were sold for, newest first`}
            columns={COLUMNS}
            rows={months.toReversed()}
            rowKey={({ month }) => month}
          />
        }
      >
        {`The middle half of what was paid in a month. A month is shown once it is over, and where ${LEAST_SALES} were sold by ${LEAST_SELLERS} sellers, none with more than half of them.`}
      </Chart>
    </section>
  );
};
