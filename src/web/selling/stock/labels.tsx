import { Link, useLoaderData, type ClientLoaderFunctionArgs, type MetaFunction } from 'react-router';
import { formatCount } from '#contract/count.ts';
import { formatDollars } from '#contract/money/money.ts';
import { listStockCopies, type StockCopy } from '#contract/stock/stock-copies.ts';
import { loadSignedIn } from '#web/shell/data/guard.ts';
import { pageMeta } from '#web/shell/layout/page-meta.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { QrCode } from '#web/shell/qr/qr-code.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { filterOf } from './copies/stock-query.ts';

export const meta: MetaFunction = () => pageMeta('Shelf labels');

/** So many are printed at a time: twenty pages. */
const MOST = 480;
const LIMIT = '100';

export const clientLoader = ({ request }: ClientLoaderFunctionArgs) =>
  loadSignedIn(
    request,
    async (api) => {
      const ids = new URL(request.url).searchParams.get('ids') ?? '';
      const what = ids === '' ? filterOf(request.url) : { ids };
      const copies: StockCopy[] = [];
      let next: string | undefined;
      let total: number | undefined;
      do {
        const query = { ...what, limit: LIMIT, sort: 'shelf-up' as const, ...(next !== undefined && { cursor: next }) };
        const page = await api.callPage(listStockCopies, { query });
        copies.push(...page.rows);
        total ??= page.total ?? page.rows.length;
        ({ next } = page);
      } while (next !== undefined && copies.length < MOST);
      return { copies: copies.slice(0, MOST), total: total ?? copies.length };
    },
    'seller',
  );

const Label = ({ copy }: { copy: StockCopy }) => (
  <li className="flex break-inside-avoid items-center gap-3 border border-dashed border-base-300 p-3">
    <div className="size-24 shrink-0">
      <QrCode text={`${location.origin}/dashboard/stock/copies/${copy._id}`} label={`Code of ${copy.title}`} />
    </div>
    <div className="min-w-0 text-sm">
      <p className="line-clamp-3 font-semibold wrap-anywhere" dir="auto">
        {copy.title}
      </p>
      <p className="truncate" dir="auto">
        {copy.authors}
      </p>
      <p className="font-mono">{copy.sku}</p>
      <p className="font-semibold tabular-nums">
        {formatDollars(copy.price)}
        {copy.shelf !== '' && <span className="font-normal"> · {copy.shelf}</span>}
      </p>
    </div>
  </li>
);

/** Labels to be printed and put into the books: a phone's camera opens that copy. */
const Labels = () => {
  const { copies, total } = useLoaderData<typeof clientLoader>();
  return (
    <>
      <div className="print:hidden">
        <PageHeading
          title="Shelf labels"
          action={
            <div className="flex gap-3">
              <Link to="/dashboard/stock/copies" className={buttonClass('secondary')}>
                Back
              </Link>
              {copies.length > 0 && <Button onClick={() => print()}>Print</Button>}
            </div>
          }
        >
          Put one into each book. Its code opens that copy on your phone: sold over the counter is one press there.
          {total > copies.length && ` The first ${formatCount(copies.length)} of ${formatCount(total)} are here.`}
        </PageHeading>
      </div>
      {copies.length === 0 ? (
        <EmptyState title="There are no copies to print labels for" />
      ) : (
        <ul className="grid grid-cols-1 sm:grid-cols-2 xl:grid-cols-3 print:grid-cols-3">
          {copies.map((copy) => (
            <Label key={copy._id} copy={copy} />
          ))}
        </ul>
      )}
    </>
  );
};
export default Labels;
