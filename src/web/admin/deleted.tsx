import { useLoaderData, useRevalidator, type ClientLoaderFunctionArgs, type MetaFunction } from 'react-router';
import { formatDollars } from '#contract/money/money.ts';
import {
  listDeletedListings,
  listDeletedUsers,
  restoreListing,
  restoreUser,
  type DeletedListing,
  type DeletedUser,
} from '#contract/admin/restoring.ts';
import { call, callPage } from '#web/api/call.ts';
import { loadSignedIn } from '#web/shell/data/guard.ts';
import { pageMeta } from '#web/shell/layout/page-meta.ts';
import { Time } from '#web/shell/data/time.tsx';
import { useMore, type More } from '#web/shell/data/use-more.ts';
import { useRefreshOnFocus } from '#web/shell/data/use-refresh-on-focus.ts';
import { ListEnd } from '#web/ui/list-end.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { Table, type Column } from '#web/ui/table/table.tsx';
import { toast } from '#web/ui/toast/toast-store.ts';
import { Section } from './money-parts.tsx';
import { RowAction } from './row-action.tsx';

export const meta: MetaFunction = () => pageMeta('Deleted');

export const clientLoader = ({ request }: ClientLoaderFunctionArgs) =>
  loadSignedIn(
    request,
    async (api) => {
      const [users, listings] = await Promise.all([
        api.callPage(listDeletedUsers, { query: {} }),
        api.callPage(listDeletedListings, { query: {} }),
      ]);
      return { users, listings };
    },
    'admin',
  );

const booksText = (count: number): string => (count === 0 ? 'none' : count === 1 ? '1 book' : `${count} books`);

interface Parts<Row> {
  /**
   * Header of the first column, and the two lines of its cells: the name, which the button says too, and whose or
   * where.
   */
  header: string;
  linesOf: (row: Row) => readonly [name: string, more: string];
  /** What tells these rows from others. */
  own: Column<Row>;
  restore: (row: Row) => Promise<void>;
}

const columnsOf = <Row extends { deletedAt: string }>(parts: Parts<Row>): readonly Column<Row>[] => [
  {
    header: parts.header,
    lead: true,
    cell: (row) => (
      <div className="min-w-0">
        <p className="row-title">{parts.linesOf(row)[0]}</p>
        <p className="row-line wrap-anywhere">{parts.linesOf(row)[1]}</p>
      </div>
    ),
  },
  parts.own,
  { header: 'Deleted', cell: ({ deletedAt }) => <Time at={deletedAt} as="moment" /> },
  {
    header: 'Actions',
    end: true,
    quiet: true,
    brief: true,
    cell: (row) => <RowAction label="Restore" name={parts.linesOf(row)[0]} act={() => parts.restore(row)} />,
  },
];

const userColumns = (restore: (user: DeletedUser) => Promise<void>): readonly Column<DeletedUser>[] =>
  columnsOf({
    header: 'Name',
    linesOf: ({ name, email }) => [name, email],
    own: { header: 'Comes back with', cell: ({ copies }) => booksText(copies) },
    restore,
  });

const listingColumns = (restore: (copy: DeletedListing) => Promise<void>): readonly Column<DeletedListing>[] =>
  columnsOf({
    header: 'Book',
    linesOf: ({ title, seller }) => [title, seller],
    own: { header: 'Price', cell: ({ price }) => <span className="tabular-nums">{formatDollars(price)}</span> },
    restore,
  });

interface ListProps<Row> {
  caption: string;
  none: string;
  list: More<Row>;
  columns: readonly Column<Row>[];
  nameOf: (row: Row) => string;
}

const List = <Row extends { _id: string }>({ caption, none, list, columns, nameOf }: ListProps<Row>) =>
  list.rows.length === 0 && !list.hasMore ? (
    <p className="text-muted">{none}</p>
  ) : (
    <>
      <Table caption={caption} columns={columns} rows={list.rows} rowKey={({ _id }) => _id} nameOf={nameOf} />
      <ListEnd list={list} />
    </>
  );

const Deleted = () => {
  const first = useLoaderData<typeof clientLoader>();
  const { revalidate } = useRevalidator();
  const users = useMore(first.users, (cursor) => callPage(listDeletedUsers, { query: { cursor } }), {
    keepPlace: true,
    of: 'users',
  });
  const listings = useMore(first.listings, (cursor) => callPage(listDeletedListings, { query: { cursor } }), {
    keepPlace: true,
    of: 'listings',
  });
  useRefreshOnFocus();
  const restoreOne = async ({ _id, name }: DeletedUser): Promise<void> => {
    await call(restoreUser, { params: { id: _id } });
    toast('Restored', { text: `${name} can sign in again.` });
    await revalidate();
  };
  const reshelve = async ({ _id, title }: DeletedListing): Promise<void> => {
    await call(restoreListing, { params: { id: _id } });
    toast('Back on sale', { text: title });
    await revalidate();
  };
  return (
    <>
      <PageHeading title="Deleted">
        What was deleted in the last 30 days and can be brought back. People who deleted their own account are gone for
        good.
      </PageHeading>
      <Section id="deleted-users" title="People">
        <List
          caption="Deleted people, newest first"
          none="Nobody was deleted lately."
          list={users}
          columns={userColumns(restoreOne)}
          nameOf={({ name }) => name}
        />
      </Section>
      <Section id="deleted-books" title="Books">
        <List
          caption="Deleted books, newest first"
          none="No book was deleted lately."
          list={listings}
          columns={listingColumns(reshelve)}
          nameOf={({ title }) => title}
        />
      </Section>
    </>
  );
};
export default Deleted;
