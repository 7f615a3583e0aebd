import { useId, useState } from 'react';
import { Link, useLoaderData, useRevalidator, type ClientLoaderFunctionArgs, type MetaFunction } from 'react-router';
import { listMyListings, type Listing, type ListingStatus, type MyListingsSort } from '#contract/catalog/catalog.ts';
import { readShelfPause } from '#contract/catalog/pausing.ts';
import { formatDollars } from '#contract/money/money.ts';
import { callPage } from '#web/api/call.ts';
import { loadSignedIn } from '#web/shell/data/guard.ts';
import { sortOf, sortQuery, useSorting, type SortChoices } from '#web/shell/data/list-address.ts';
import { pageMeta } from '#web/shell/layout/page-meta.ts';
import { useMore } from '#web/shell/data/use-more.ts';
import { useRefreshOnFocus } from '#web/shell/data/use-refresh-on-focus.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { classes } from '#web/ui/classes.ts';
import { ListEnd } from '#web/ui/list-end.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { BookLead } from '#web/ui/table/book-lead.tsx';
import { Table, type Column } from '#web/ui/table/table.tsx';
import { DeleteDialog } from './delete-dialog.tsx';
import { lockedBecause } from './locked.ts';
import { PauseButton } from './pausing/pause-button.tsx';
import { AwayNotice, PauseShelf } from './pausing/shelf-pause.tsx';

export const meta: MetaFunction = () => pageMeta('My Products');

const SORTS: SortChoices<MyListingsSort> = [
  ['newest', 'Newest first'],
  ['title-up', 'Title, A to Z'],
  ['title-down', 'Title, Z to A'],
  ['price-up', 'Lowest price first'],
  ['price-down', 'Highest price first'],
];

export const clientLoader = ({ request }: ClientLoaderFunctionArgs) =>
  loadSignedIn(
    request,
    async (api, { email }) => {
      const sort = sortOf(request.url, SORTS);
      const [first, pause] = await Promise.all([
        api.callPage(listMyListings, { query: { email, ...sortQuery(sort, SORTS) } }),
        api.call(readShelfPause, {}),
      ]);
      return { email, sort, first, pause };
    },
    'seller',
  );

const LOOKS: Record<ListingStatus, string> = {
  Available: 'border-success/50 text-success',
  Reserved: 'border-warning/50 text-warning',
  Paused: 'border-info/50 text-info',
  Sold: 'border-base-300 text-muted',
};

/** What can be done to a listing from its row. */
interface Deeds {
  readonly onDelete: (listing: Listing) => void;
  readonly onChanged: () => Promise<void>;
  /** The whole shelf is paused. */
  readonly isAway: boolean;
}

const columns = (deeds: Deeds): readonly Column<Listing>[] => [
  {
    header: 'Title',
    lead: true,
    sort: { up: 'title-up', down: 'title-down' },
    cell: (listing) => (
      <BookLead
        book={listing}
        title={listing.title}
        line={listing.authors === '' ? listing.category_name : `${listing.authors} · ${listing.category_name}`}
      />
    ),
  },
  {
    header: 'Price',
    end: true,
    brief: true,
    sort: { up: 'price-up', down: 'price-down' },
    cell: (listing) => <span className="tabular-nums">{formatDollars(listing.resale_price)}</span>,
  },
  {
    header: 'Status',
    end: true,
    brief: true,
    cell: ({ status, waiting }) => (
      <span className={classes('badge bg-transparent whitespace-nowrap', LOOKS[status])}>
        {waiting > 0 ? `${status} · ${waiting} waiting` : status}
      </span>
    ),
  },
  {
    header: 'Actions',
    end: true,
    quiet: true,
    cell: (listing) => <Actions listing={listing} {...deeds} />,
  },
];

const Actions = ({ listing, onDelete, onChanged, isAway }: Deeds & { listing: Listing }) => {
  const reasonId = useId();
  const reason = lockedBecause(listing.status);
  const ofBook = <span className="sr-only"> {listing.title}</span>;
  return (
    <div className="flex flex-1 flex-col gap-1 sm:items-end">
      <div className="flex flex-wrap gap-2 sm:flex-nowrap sm:justify-end sm:gap-1">
        {reason === undefined && <PauseButton listing={listing} isAway={isAway} onChanged={onChanged} />}
        {reason === undefined ? (
          <Link to={`/dashboard/edit_product/${listing._id}`} className={buttonClass('secondary', 'sm')}>
            Edit{ofBook}
          </Link>
        ) : (
          <Button look="secondary" size="sm" disabled aria-describedby={reasonId}>
            Edit{ofBook}
          </Button>
        )}
        <Button
          look="quiet-danger"
          size="sm"
          disabled={reason !== undefined}
          aria-describedby={reason === undefined ? undefined : reasonId}
          onClick={() => onDelete(listing)}
        >
          Delete{ofBook}
        </Button>
      </div>
      {reason !== undefined && (
        <p id={reasonId} className="max-w-56 text-xs text-muted">
          {reason}
        </p>
      )}
    </div>
  );
};

const AddLink = ({ children }: { children: string }) => (
  <Link reloadDocument rel="external" to="/dashboard/add_product" className={buttonClass()}>
    {children}
  </Link>
);

const MyProducts = () => {
  const { email, sort, first, pause } = useLoaderData<typeof clientLoader>();
  const readOn = (cursor: string) => callPage(listMyListings, { query: { email, cursor, ...sortQuery(sort, SORTS) } });
  const list = useMore(first, readOn, { keepPlace: true, of: sort });
  const sorting = useSorting(sort, SORTS);
  const [toDelete, setToDelete] = useState<Listing>();
  // Gone from the list before it is read again.
  const [deleted, setDeleted] = useState<readonly string[]>([]);
  const { revalidate } = useRevalidator();
  useRefreshOnFocus();
  const rows = list.rows.filter(({ _id }) => !deleted.includes(_id));
  return (
    <>
      <PageHeading
        title="My Products"
        action={
          rows.length > 0 && (
            <div className="flex flex-wrap gap-3">
              {!pause.paused && <PauseShelf pause={pause} onChanged={revalidate} />}
              <AddLink>Add A Product</AddLink>
            </div>
          )
        }
      >
        {sort === 'newest' ? 'Your listings, newest first.' : 'Your listings.'}
      </PageHeading>
      {pause.paused && <AwayNotice pause={pause} onChanged={revalidate} />}
      {rows.length === 0 && !list.hasMore ? (
        <EmptyState title="Nothing listed yet" action={<AddLink>Add your first book</AddLink>}>
          A book takes about a minute to list. It goes live immediately.
        </EmptyState>
      ) : (
        <>
          <Table
            caption="Books you have listed"
            columns={columns({ onDelete: setToDelete, onChanged: revalidate, isAway: pause.paused })}
            rows={rows}
            rowKey={(listing) => listing._id}
            nameOf={({ title }) => title}
            sorting={sorting}
          />
          <ListEnd list={{ ...list, rows }} />
        </>
      )}
      <DeleteDialog
        listing={toDelete}
        onDeleted={({ _id }) => setDeleted([...deleted, _id])}
        onClose={() => setToDelete(undefined)}
      />
    </>
  );
};
export default MyProducts;
