import { useState } from 'react';
import { Link, useLoaderData, type ClientLoaderFunctionArgs, type MetaFunction } from 'react-router';
import { listMyBookings, type Booking } from '#contract/bookings/bookings.ts';
import { listMyWaitlist } from '#contract/bookings/waitlist.ts';
import { formatDollars } from '#contract/money/money.ts';
import { callPage } from '#web/api/call.ts';
import { loadSignedIn } from '#web/shell/data/guard.ts';
import { OrderLine } from '#web/shell/data/order-line.tsx';
import { pageMeta } from '#web/shell/layout/page-meta.ts';
import { useMore } from '#web/shell/data/use-more.ts';
import { useRefreshOnFocus } from '#web/shell/data/use-refresh-on-focus.ts';
import { useTimeZone } from '#web/shell/data/use-time-zone.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { ListEnd } from '#web/ui/list-end.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { BookLead } from '#web/ui/table/book-lead.tsx';
import { Table, type Column } from '#web/ui/table/table.tsx';
import { CancelDialog } from './cancel-dialog.tsx';
import { CopyChanged } from '#web/buying/checkout/copy-changed.tsx';
import { SellerReach } from './seller-reach.tsx';
import { canBePaid, standingOf, standingText } from './standing.ts';
import { useNow } from './use-now.ts';
import { WaitingFor } from './waiting-for.tsx';

export const meta: MetaFunction = () => pageMeta('My Orders');

export const clientLoader = ({ request }: ClientLoaderFunctionArgs) =>
  loadSignedIn(
    request,
    async (api, { email }) => {
      const [first, places] = await Promise.all([
        api.callPage(listMyBookings, { query: { email } }),
        api.callPage(listMyWaitlist, {}),
      ]);
      return { email, first, places: places.rows };
    },
    'buyer',
  );

/** What becomes of a booking next; once it is paid for, of its order. */
const Standing = ({ booking, now, timeZone }: { booking: Booking; now: Date; timeZone: string }) => {
  const { change, order, refunded } = booking;
  if (change !== null) return 'Not held any more, and the copy was changed meanwhile.';
  if (order !== null && !refunded) return <OrderLine order={order} side="buyer" />;
  return standingText(standingOf(booking, now), now, timeZone);
};

/** The columns at one moment: holds run out while the page is open. */
const columnsAt = (now: Date, timeZone: string, onCancel: (booking: Booking) => void): readonly Column<Booking>[] => [
  {
    header: 'Title',
    lead: true,
    cell: (booking) => (
      <div className="flex min-w-0 flex-col gap-3">
        <BookLead
          book={booking}
          isTold
          by={booking.authors}
          title={
            <Link
              to={booking.order === null ? `/book/${booking.listingId}` : `/dashboard/orders/${booking.order.id}`}
              className="hover:underline"
            >
              {booking.title}
            </Link>
          }
          line={<Standing booking={booking} now={now} timeZone={timeZone} />}
        >
          <SellerReach booking={booking} />
        </BookLead>
        {booking.change !== null && (
          <div className="row-whole">
            <CopyChanged booking={booking} change={booking.change} />
          </div>
        )}
      </div>
    ),
  },
  {
    header: 'Price',
    end: true,
    brief: true,
    cell: (booking) => <span className="font-semibold tabular-nums">{formatDollars(booking.price)}</span>,
  },
  {
    header: 'Payment',
    end: true,
    quiet: true,
    brief: true,
    cell: (booking) => <Actions booking={booking} now={now} onCancel={() => onCancel(booking)} />,
  },
];

const Actions = ({ booking, now, onCancel }: { booking: Booking; now: Date; onCancel: () => void }) => {
  const standing = standingOf(booking, now);
  if (standing.kind === 'paid')
    return (
      <Button disabled size="sm" className="row-done">
        Paid
      </Button>
    );
  if (standing.kind === 'refunded')
    return (
      <Button disabled size="sm" className="row-done">
        Refunded
      </Button>
    );
  if (standing.kind === 'processing')
    return (
      <Button disabled size="sm" className="row-done">
        Processing
      </Button>
    );
  if (standing.kind === 'cancelled') return null;
  // What was changed is decided beneath the title first.
  if (booking.change !== null) return null;
  if (!canBePaid(standing)) {
    return (
      <Link to={`/book/${booking.listingId}`} className={buttonClass('secondary', 'sm', 'when-open')}>
        See the book<span className="sr-only">: {booking.title}</span>
      </Link>
    );
  }
  return (
    <div className="flex items-center justify-end gap-2 max-sm:flex-col max-sm:items-end">
      <Link to={`/dashboard/payment/${booking._id}`} className={buttonClass('primary', 'sm', 'max-sm:min-h-11')}>
        Pay<span className="sr-only"> for {booking.title}</span>
      </Link>
      <Button look="quiet-danger" size="sm" className="when-open max-sm:min-h-11" onClick={onCancel}>
        Cancel<span className="sr-only"> the booking of {booking.title}</span>
      </Button>
    </div>
  );
};

const MyOrders = () => {
  const { email, first, places } = useLoaderData<typeof clientLoader>();
  const list = useMore(first, (cursor) => callPage(listMyBookings, { query: { email, cursor } }), { keepPlace: true });
  useRefreshOnFocus();
  const [toCancel, setToCancel] = useState<Booking>();
  const now = useNow();
  const timeZone = useTimeZone();
  const shelves = (
    <Link to="/categories" className={buttonClass()}>
      Find a book
    </Link>
  );
  return (
    <>
      <PageHeading title="My Orders">
        The books you have booked. Pay while a copy is held for you; then it is yours.
      </PageHeading>
      <WaitingFor places={places} />
      {list.rows.length > 0 && places.length > 0 && <h2 className="mb-3 font-serif text-xl font-semibold">Booked</h2>}
      {list.rows.length === 0 ? (
        <EmptyState title="No orders yet" action={shelves}>
          Book a copy and it is kept for you while you pay.
        </EmptyState>
      ) : (
        <>
          <Table
            caption="Your bookings, newest first"
            columns={columnsAt(now, timeZone, setToCancel)}
            rows={list.rows}
            rowKey={({ _id }) => _id}
            nameOf={({ title }) => title}
          />
          <ListEnd list={list} />
        </>
      )}
      <CancelDialog booking={toCancel} onClose={() => setToCancel(undefined)} />
    </>
  );
};
export default MyOrders;
