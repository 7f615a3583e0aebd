import { Link, useLoaderData, type ClientLoaderFunctionArgs, type MetaFunction } from 'react-router';
import {
  downloadStatement,
  readStatement,
  readStatementSummary,
  type StatementRow,
  type StatementYear,
} from '#contract/money/ledger.ts';
import { formatCount } from '#contract/count.ts';
import { formatDollars } from '#contract/money/money.ts';
import { readSellingTerms } from '#contract/catalog/selling-terms.ts';
import { feeWords } from '#contract/money/shares.ts';
import { messageOf } from '#web/api/api-error.ts';
import { callPage } from '#web/api/call.ts';
import { callFile } from '#web/api/call-file.ts';
import { loadSignedIn } from '#web/shell/data/guard.ts';
import { pageMeta } from '#web/shell/layout/page-meta.ts';
import { Time } from '#web/shell/data/time.tsx';
import { useMore } from '#web/shell/data/use-more.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { classes } from '#web/ui/classes.ts';
import { DownloadButton } from '#web/ui/download-button.tsx';
import { ListEnd } from '#web/ui/list-end.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { MoneyFigures } from './money-figures.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { Table, type Column } from '#web/ui/table/table.tsx';

export const meta: MetaFunction = () => pageMeta('Statement');

export const clientLoader = ({ request }: ClientLoaderFunctionArgs) =>
  loadSignedIn(
    request,
    async (api) => {
      const [first, summary, terms] = await Promise.all([
        api.callPage(readStatement, { query: {} }),
        api.call(readStatementSummary, {}),
        api.call(readSellingTerms, {}),
      ]);
      return { first, summary, fees: feeWords(terms) };
    },
    'seller',
  );

/** An amount with its sign, as a bank writes it. */
const signed = (dollars: number): string => `${dollars > 0 ? '+' : ''}${formatDollars(dollars)}`;

const COLUMNS: readonly Column<StatementRow>[] = [
  { header: 'Date', under: true, cell: ({ at }) => <Time at={at} as="date" /> },
  {
    header: 'What happened',
    lead: true,
    cell: ({ says }) => <p className="row-words max-w-prose wrap-anywhere">{says}</p>,
  },
  {
    header: 'Amount',
    end: true,
    brief: true,
    cell: ({ amount }) => (
      <span className={classes('font-semibold whitespace-nowrap tabular-nums', amount > 0 && 'text-success')}>
        {signed(amount)}
      </span>
    ),
  },
  {
    header: 'Owed to you',
    end: true,
    cell: ({ balance }) => <span className="whitespace-nowrap tabular-nums">{formatDollars(balance)}</span>,
  },
];

const Download = ({ year }: { year?: number }) => (
  <DownloadButton
    label={year === undefined ? 'Download as CSV' : `${year} as CSV`}
    name={year === undefined ? 'dogear-statement.csv' : `dogear-statement-${year}.csv`}
    read={() => callFile(downloadStatement, year === undefined ? {} : { year: String(year) })}
    say={messageOf}
  />
);

const yearLines = (year: StatementYear): readonly (readonly [name: string, dollars: number])[] => [
  [year.sold === 1 ? '1 book sold' : `${formatCount(year.sold)} books sold`, year.prices],
  ['Postage paid by buyers', year.postage],
  ['Kept by the payment provider', -year.fees],
  ['Commission of the shop', -year.commission],
  ['Given back to buyers', -year.givenBack],
  ['Corrected by an admin', year.adjusted],
  ['Paid out', -year.paidOut],
];

const Years = ({ years }: { years: readonly StatementYear[] }) => (
  <section aria-labelledby="years" className="mt-10">
    <h2 id="years" className="mb-3 font-serif text-xl font-semibold">
      Your years
    </h2>
    <div className="flex flex-col divide-y divide-base-300 rounded-box border border-base-300 bg-base-100">
      {years.map((year, at) => (
        <details key={year.year} open={at === 0} className="px-5 py-3">
          <summary className="min-h-6 py-1 font-medium">{year.year}</summary>
          <dl className="mt-2 mb-4 max-w-md">
            {yearLines(year)
              .filter(([, dollars]) => dollars !== 0)
              .map(([name, dollars]) => (
                <div key={name} className="flex justify-between gap-4 py-1">
                  <dt className="text-muted">{name}</dt>
                  <dd className="whitespace-nowrap tabular-nums">{formatDollars(dollars)}</dd>
                </div>
              ))}
          </dl>
          <Download year={year.year} />
        </details>
      ))}
    </div>
  </section>
);

const Statement = () => {
  const { first, summary, fees } = useLoaderData<typeof clientLoader>();
  const list = useMore(first, (cursor) => callPage(readStatement, { query: { cursor } }), {
    keepPlace: true,
  });
  const [newest] = list.rows;
  return (
    <>
      <PageHeading title="Statement" action={newest !== undefined && <Download />}>
        What the shop owes you for your sales, and why.{fees !== undefined && ` Of each sale ${fees}.`}
      </PageHeading>
      {newest === undefined ? (
        <EmptyState
          title="Nothing sold yet"
          action={
            <Link to="/dashboard/my_products" className={buttonClass()}>
              Look at my products
            </Link>
          }
        >
          As soon as a book of yours is paid for, it appears here.
        </EmptyState>
      ) : (
        <>
          <MoneyFigures figures={summary} />
          <Table
            caption="Your statement, newest first"
            columns={COLUMNS}
            rows={list.rows}
            rowKey={({ _id }) => _id}
            nameOf={({ says }) => says}
          />
          <ListEnd list={list} />
          <Years years={summary.years} />
        </>
      )}
    </>
  );
};
export default Statement;
