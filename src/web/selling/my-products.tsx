import { Link, useLoaderData, type ClientLoaderFunctionArgs, type MetaFunction } from 'react-router';
import { listMyListings, type Listing, type ListingStatus } from '#contract/catalog.ts';
import { formatDollars } from '#contract/money.ts';
import { callPage } from '#web/api/call.ts';
import { loadSignedIn } from '#web/shell/guard.ts';
import { pageMeta } from '#web/shell/page-meta.ts';
import { useMore } from '#web/shell/use-more.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { classes } from '#web/ui/classes.ts';
import { Cover } from '#web/ui/cover.tsx';
import { ListEnd } from '#web/ui/list-end.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { Table, type Column } from '#web/ui/table.tsx';

export const meta: MetaFunction = () => pageMeta('My Products');

export const clientLoader = ({ request }: ClientLoaderFunctionArgs) =>
  loadSignedIn(
    request,
    async (api, { email }) => ({ email, first: await api.callPage(listMyListings, { query: { email } }) }),
    'seller',
  );

const LOOKS: Record<ListingStatus, string> = {
  Available: 'border-success/50 text-success',
  Reserved: 'border-warning/50 text-warning',
  Sold: 'border-base-300 text-muted',
};

const COLUMNS: readonly Column<Listing>[] = [
  {
    header: 'Title',
    lead: true,
    cell: (listing) => (
      <div className="flex min-w-0 items-center gap-4">
        <Cover
          title={listing.title}
          authors={listing.authors}
          imageUrl={listing.image_url}
          decorative
          className="w-12 shrink-0"
        />
        <div className="min-w-0">
          <p className="font-serif font-semibold break-words">{listing.title}</p>
          <p className="text-sm break-words text-muted">
            {listing.authors === '' ? listing.category_name : `${listing.authors} · ${listing.category_name}`}
          </p>
        </div>
      </div>
    ),
  },
  {
    header: 'Price',
    end: true,
    cell: (listing) => <span className="tabular-nums">{formatDollars(listing.resale_price)}</span>,
  },
  {
    header: 'Status',
    end: true,
    cell: ({ status }) => <span className={classes('badge bg-transparent', LOOKS[status])}>{status}</span>,
  },
];

const AddLink = ({ children }: { children: string }) => (
  <Link to="/dashboard/add_product" className={buttonClass()}>
    {children}
  </Link>
);

const MyProducts = () => {
  const { email, first } = useLoaderData<typeof clientLoader>();
  const list = useMore(first, (cursor) => callPage(listMyListings, { query: { email, cursor } }));
  return (
    <>
      <PageHeading title="My Products" action={list.rows.length > 0 && <AddLink>Add A Product</AddLink>}>
        What you have listed, newest first, and how each copy stands.
      </PageHeading>
      {list.rows.length === 0 ? (
        <EmptyState title="Nothing listed yet" action={<AddLink>Add your first book</AddLink>}>
          A book takes about a minute to list. Readers find it at once.
        </EmptyState>
      ) : (
        <>
          <Table caption="Books you have listed" columns={COLUMNS} rows={list.rows} rowKey={(listing) => listing._id} />
          <ListEnd
            count={list.rows.length}
            hasMore={list.hasMore}
            busy={list.busy}
            failure={list.failure}
            onMore={list.more}
          />
        </>
      )}
    </>
  );
};
export default MyProducts;
