import { useState } from 'react';
import { Link, useRevalidator } from 'react-router';
import { leaveWaitlist, type WaitlistEntry } from '#contract/bookings/waitlist.ts';
import { formatDollars } from '#contract/money/money.ts';
import { messageOf } from '#web/api/api-error.ts';
import { call } from '#web/api/call.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { BookLead } from '#web/ui/table/book-lead.tsx';
import { Table, type Column } from '#web/ui/table/table.tsx';
import { toast } from '#web/ui/toast/toast-store.ts';

const placeText = ({ place, waiting, status }: WaitlistEntry): string => {
  if (status === 'Available') return 'It is free now: book it before somebody else does.';
  if (status === 'Paused') return 'Its seller is away. Your place is kept until the book is back.';
  if (place === 1) return waiting === 1 ? 'You are next.' : `You are next; ${waiting - 1} more behind you.`;
  return place === 2 ? 'One reader before you.' : `${place - 1} readers before you.`;
};

/** One click, and the place is given up. What goes wrong is said beneath. */
const Leave = ({ place }: { place: WaitlistEntry }) => {
  const { revalidate } = useRevalidator();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const leave = async (): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    try {
      await call(leaveWaitlist, { params: { id: place.listingId } });
      toast('You left the waiting list', { text: place.title, tone: 'info' });
      await revalidate();
    } catch (error) {
      setFailure(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className="flex flex-col items-end gap-1">
      <div className="flex items-center gap-2 max-sm:flex-col max-sm:items-end">
        {place.status === 'Available' && (
          <Link to={`/book/${place.listingId}`} className={buttonClass('primary', 'sm', 'max-sm:min-h-11')}>
            Book it<span className="sr-only">: {place.title}</span>
          </Link>
        )}
        <Button look="quiet" size="sm" className="when-open" busy={busy} onClick={() => void leave()}>
          Leave<span className="sr-only"> the waiting list for {place.title}</span>
        </Button>
      </div>
      {failure !== undefined && (
        <p role="alert" className="max-w-56 text-sm text-error">
          {failure}
        </p>
      )}
    </div>
  );
};

const COLUMNS: readonly Column<WaitlistEntry>[] = [
  {
    header: 'Title',
    lead: true,
    cell: (place) => (
      <BookLead
        book={place}
        isTold
        by={place.authors}
        title={
          <Link to={`/book/${place.listingId}`} className="hover:underline">
            {place.title}
          </Link>
        }
        line={placeText(place)}
      />
    ),
  },
  {
    header: 'Price',
    end: true,
    brief: true,
    cell: (place) => <span className="font-semibold tabular-nums">{formatDollars(place.price)}</span>,
  },
  { header: 'Waiting list', end: true, quiet: true, brief: true, cell: (place) => <Leave place={place} /> },
];

/** The books a buyer waits for; nothing when there are none. */
export const WaitingFor = ({ places }: { places: readonly WaitlistEntry[] }) => {
  if (places.length === 0) return null;
  return (
    <section aria-labelledby="waiting-for" className="mb-8">
      <h2 id="waiting-for" className="mb-3 font-serif text-xl font-semibold">
        Waiting for
      </h2>
      <Table
        caption="The books you are on the waiting list for, the longest wait first"
        columns={COLUMNS}
        rows={places}
        rowKey={({ listingId }) => listingId}
        nameOf={({ title }) => title}
      />
    </section>
  );
};
