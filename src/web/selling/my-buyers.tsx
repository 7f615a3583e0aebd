import { Link, useLoaderData, type ClientLoaderFunctionArgs, type MetaFunction } from 'react-router';
import { listMyBuyers, type BookingOfMine } from '#contract/bookings/bookings.ts';
import { formatDollars } from '#contract/money/money.ts';
import { callPage } from '#web/api/call.ts';
import { loadSignedIn } from '#web/shell/data/guard.ts';
import { reloadsUnlessHidden, useChosenColumns } from '#web/shell/data/list-address.ts';
import { pageMeta } from '#web/shell/layout/page-meta.ts';
import { OrderLine } from '#web/shell/data/order-line.tsx';
import { Time } from '#web/shell/data/time.tsx';
import { useMore } from '#web/shell/data/use-more.ts';
import { useRefreshOnFocus } from '#web/shell/data/use-refresh-on-focus.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { classes } from '#web/ui/classes.ts';
import { ListEnd } from '#web/ui/list-end.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { BookLead } from '#web/ui/table/book-lead.tsx';
import { Table, type Column } from '#web/ui/table/table.tsx';
import { reachText, standingOf } from './buyer-standing.ts';

export const meta: MetaFunction = () => pageMeta('My Buyers');

export const clientLoader = ({ request }: ClientLoaderFunctionArgs) =>
  loadSignedIn(
    request,
    async (api, { email }) => ({ email, first: await api.callPage(listMyBuyers, { query: { email } }) }),
    'seller',
  );

export const shouldRevalidate = reloadsUnlessHidden;

const TONES = {
  Paid: 'border-success/50 text-success',
  Refunded: 'border-base-300 text-muted',
  'Not paid yet': 'border-warning/50 text-warning',
  Lapsed: 'border-base-300 text-muted',
  Cancelled: 'border-base-300 text-muted',
} as const;

const COLUMNS: readonly Column<BookingOfMine>[] = [
  {
    header: 'Title',
    lead: true,
    cell: (booking) => (
      <BookLead
        book={booking}
        isTold={booking.order !== null}
        title={
          booking.order === null ? (
            booking.title
          ) : (
            <Link to={`/dashboard/orders/${booking.order.id}`} className="hover:underline">
              {booking.title}
            </Link>
          )
        }
        line={booking.order !== null && <OrderLine order={booking.order} side="seller" />}
      />
    ),
  },
  {
    header: 'Buyer',
    cell: (booking) => (
      <div className="min-w-0 max-sm:text-end">
        <p dir="auto" className="font-semibold break-words">
          {booking.buyer}
        </p>
        <p className="row-line">{reachText(booking)}</p>
      </div>
    ),
  },
  {
    header: 'Booked',
    cell: (booking) => <Time at={booking.bookedAt} as="moment" />,
  },
  {
    header: 'Price',
    end: true,
    brief: true,
    cell: (booking) => <span className="tabular-nums">{formatDollars(booking.price)}</span>,
  },
  {
    header: 'Payment',
    end: true,
    brief: true,
    cell: (booking) => {
      const standing = standingOf(booking);
      return <span className={classes('badge bg-transparent whitespace-nowrap', TONES[standing])}>{standing}</span>;
    },
  },
];

const MyBuyers = () => {
  const { email, first } = useLoaderData<typeof clientLoader>();
  const list = useMore(first, (cursor) => callPage(listMyBuyers, { query: { email, cursor } }), { keepPlace: true });
  const choosing = useChosenColumns();
  useRefreshOnFocus();
  return (
    <>
      <PageHeading title="My Buyers">
        Who booked your books: first what you are asked for, then what waits for others, then the newest. Once a book is
        paid for, you see how to reach its buyer.
      </PageHeading>
      {list.rows.length === 0 ? (
        <EmptyState
          title="Nobody has booked yet"
          action={
            <Link to="/dashboard/my_products" className={buttonClass()}>
              Look at my products
            </Link>
          }
        >
          When a reader books one of your books, you see it here. A fair price and a good picture help.
        </EmptyState>
      ) : (
        <>
          <Table
            caption="Bookings of your books"
            columns={COLUMNS}
            rows={list.rows}
            rowKey={({ _id }) => _id}
            nameOf={({ title }) => title}
            choosing={choosing}
          />
          <ListEnd list={list} />
        </>
      )}
    </>
  );
};
export default MyBuyers;
