import { Link, useLoaderData, type ClientLoaderFunctionArgs, type MetaFunction } from 'react-router';
import { downloadStatement, readStatement, type StatementRow } from '#contract/money/ledger.ts';
import { formatDollars } from '#contract/money/money.ts';
import { readSellingTerms } from '#contract/catalog/selling-terms.ts';
import { feeWords } from '#contract/money/shares.ts';
import { messageOf } from '#web/api/api-error.ts';
import { callFile, callPage } from '#web/api/call.ts';
import { loadSignedIn } from '#web/shell/data/guard.ts';
import { pageMeta } from '#web/shell/layout/page-meta.ts';
import { Time } from '#web/shell/data/time.tsx';
import { useMore } from '#web/shell/data/use-more.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { classes } from '#web/ui/classes.ts';
import { DownloadButton } from '#web/ui/download-button.tsx';
import { ListEnd } from '#web/ui/list-end.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { Table, type Column } from '#web/ui/table.tsx';

export const meta: MetaFunction = () => pageMeta('Statement');

export const clientLoader = ({ request }: ClientLoaderFunctionArgs) =>
  loadSignedIn(
    request,
    async (api) => {
      const [first, terms] = await Promise.all([
        api.callPage(readStatement, { query: {} }),
        api.call(readSellingTerms, {}),
      ]);
      return { first, fees: feeWords(terms) };
    },
    'seller',
  );

/** An amount with its sign, as a bank writes it. */
const signed = (dollars: number): string => `${dollars > 0 ? '+' : ''}${formatDollars(dollars)}`;

const COLUMNS: readonly Column<StatementRow>[] = [
  { header: 'Date', cell: ({ at }) => <Time at={at} as="date" /> },
  { header: 'What happened', lead: true, cell: ({ says }) => <p className="max-w-prose wrap-anywhere">{says}</p> },
  {
    header: 'Amount',
    end: true,
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

const Download = () => (
  <DownloadButton
    label="Download as CSV"
    name="dogear-statement.csv"
    read={() => callFile(downloadStatement)}
    say={messageOf}
  />
);

const Balance = ({ balance, pending }: { balance: number; pending: number }) => (
  <section aria-label="Balance" className="mb-6 rounded-box border border-base-300 bg-base-100 p-5">
    <p className="text-sm text-muted">{balance < 0 ? 'You owe the shop' : 'The shop owes you'}</p>
    <p className="font-serif text-3xl font-bold tabular-nums">{formatDollars(Math.abs(balance))}</p>
    {pending > 0 && (
      <p className="mt-1 text-sm text-muted">
        {formatDollars(pending)} of it is pending: it is due once its orders are closed.
      </p>
    )}
  </section>
);

const Statement = () => {
  const { first, fees } = useLoaderData<typeof clientLoader>();
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
          <Balance balance={newest.balance} pending={newest.pending} />
          <Table caption="Your statement, newest first" columns={COLUMNS} rows={list.rows} rowKey={({ _id }) => _id} />
          <ListEnd list={list} />
        </>
      )}
    </>
  );
};
export default Statement;
