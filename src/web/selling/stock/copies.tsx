import { useState } from 'react';
import { Link, useLoaderData, useRevalidator, type ClientLoaderFunctionArgs, type MetaFunction } from 'react-router';
import { listCategories } from '#contract/catalog/catalog.ts';
import { formatCount } from '#contract/count.ts';
import { listStockCopies, type StockCopy } from '#contract/stock/stock-copies.ts';
import { listStockEdits } from '#contract/stock/stock-edits.ts';
import { callPage } from '#web/api/call.ts';
import { loadSignedIn } from '#web/shell/data/guard.ts';
import { reloadsUnlessHidden, sortOf, sortQuery, useChosenColumns, useSorting } from '#web/shell/data/list-address.ts';
import { useMore } from '#web/shell/data/use-more.ts';
import { pageMeta } from '#web/shell/layout/page-meta.ts';
import { StockTabs } from './stock-tabs.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { ListEnd } from '#web/ui/list-end.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { Table } from '#web/ui/table/table.tsx';
import { ChosenBar } from './copies/chosen-bar.tsx';
import { columns } from './copies/copy-columns.tsx';
import { EditDialog } from './copies/edit-dialog.tsx';
import { Edits } from './copies/edits.tsx';
import { FilterBar } from './copies/filter-bar.tsx';
import { choose, countOf, isChosen, NONE, selectionOf, type Chosen } from './copies/selection.ts';
import { filterOf, SORTS } from './copies/stock-query.ts';

export const meta: MetaFunction = () => pageMeta('All copies');
export const shouldRevalidate = reloadsUnlessHidden;

const LIMIT = '100';

export const clientLoader = ({ request }: ClientLoaderFunctionArgs) =>
  loadSignedIn(
    request,
    async (api) => {
      const sort = sortOf(request.url, SORTS);
      const filter = filterOf(request.url);
      const [first, categories, { edits }] = await Promise.all([
        api.callPage(listStockCopies, { query: { ...filter, ...sortQuery(sort, SORTS), limit: LIMIT } }),
        api.call(listCategories, {}),
        api.call(listStockEdits, {}),
      ]);
      return { first, sort, filter, categories, edits };
    },
    'seller',
  );

/** What is chosen belongs to what was filtered by. */
const useChosen = (of: string): [Chosen, (chosen: Chosen) => void] => {
  const [held, setHeld] = useState({ of, chosen: NONE });
  return [held.of === of ? held.chosen : NONE, (chosen) => setHeld({ of, chosen })];
};

const Copies = () => {
  const { first, sort, filter, categories, edits } = useLoaderData<typeof clientLoader>();
  const { revalidate } = useRevalidator();
  const of = JSON.stringify(filter);
  const list = useMore(
    first,
    (cursor) => callPage(listStockCopies, { query: { ...filter, ...sortQuery(sort, SORTS), limit: LIMIT, cursor } }),
    { keepPlace: true, of: `${of} ${sort}` },
  );
  const sorting = useSorting(sort, SORTS);
  const choosing = useChosenColumns();
  const [chosen, setChosen] = useChosen(of);
  const [dialog, setDialog] = useState<'edit' | 'remove'>();
  // As they are since something was done to them here.
  const [done, setDone] = useState<ReadonlyMap<string, StockCopy>>(new Map());
  const [lastPressed, setLastPressed] = useState<string>();
  const readAgain = async (): Promise<void> => {
    await revalidate();
    setDone(new Map());
  };
  const total = first.total ?? list.rows.length;
  const rows = list.rows.map((copy) => done.get(copy._id) ?? copy);
  const press = (id: string, isOn: boolean, isFar: boolean): void => {
    const [from, to] = [rows.findIndex(({ _id }) => _id === lastPressed), rows.findIndex(({ _id }) => _id === id)];
    const range = isFar && from !== -1 ? rows.slice(Math.min(from, to), Math.max(from, to) + 1) : [];
    setChosen(choose(chosen, [id, ...range.map(({ _id }) => _id)], isOn));
    setLastPressed(id);
  };
  const count = countOf(chosen, total);
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <>
      <PageHeading title="Stock">
        Every copy of yours: find it, change many at once, sell it over the counter.
      </PageHeading>
      <StockTabs />
      <FilterBar filter={filter} sort={sort} categories={categories} />
      <Edits edits={edits} onChanged={readAgain} />
      {rows.length === 0 ? (
        <EmptyState
          title={isFiltered ? 'No copy of yours is like that' : 'Nothing in stock yet'}
          action={
            <Link to={isFiltered ? '/dashboard/stock/copies' : '/dashboard/stock'} className={buttonClass('secondary')}>
              {isFiltered ? 'Show all' : 'Bring a file'}
            </Link>
          }
        />
      ) : (
        <>
          <p className="mb-2 text-sm text-muted" role="status">
            {total === 1 ? 'One copy' : `${formatCount(total)} copies`}
          </p>
          <Table
            caption="Your copies"
            columns={columns({
              isChosen: (id) => isChosen(chosen, id),
              onPress: press,
              onDone: (copy) => setDone(new Map(done).set(copy._id, copy)),
            })}
            rows={rows}
            rowKey={({ _id }) => _id}
            nameOf={({ title }) => title}
            sorting={sorting}
            choosing={choosing}
          />
          <ListEnd list={{ ...list, rows }} />
        </>
      )}
      <ChosenBar
        chosen={chosen}
        count={count}
        total={total}
        shown={rows.map(({ _id }) => _id)}
        filter={filter}
        onChosen={setChosen}
        onEdit={setDialog}
      />
      {dialog !== undefined && count > 0 && (
        <EditDialog
          isRemoval={dialog === 'remove'}
          selection={selectionOf(chosen, filter)}
          count={count}
          categories={categories}
          onClose={() => setDialog(undefined)}
          onBegun={() => {
            setDialog(undefined);
            setChosen(NONE);
            void readAgain();
          }}
        />
      )}
    </>
  );
};
export default Copies;
