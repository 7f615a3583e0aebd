import { useState } from 'react';
import { Link, useRevalidator } from 'react-router';
import { leaveWaitlist, type WaitlistEntry } from '#contract/bookings/waitlist.ts';
import { formatDollars } from '#contract/money/money.ts';
import { messageOf } from '#web/api/api-error.ts';
import { call } from '#web/api/call.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { Cover } from '#web/ui/cover.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
import { toast } from '#web/ui/toast-store.ts';

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
    <div className="flex flex-1 flex-wrap items-center gap-2 sm:justify-end">
      {place.status === 'Available' && (
        <Link to={`/book/${place.listingId}`} className={buttonClass('primary', 'md', 'max-sm:flex-1')}>
          Book it<span className="sr-only">: {place.title}</span>
        </Link>
      )}
      <Button look="quiet" busy={busy} onClick={() => void leave()}>
        Leave<span className="sr-only"> the waiting list for {place.title}</span>
      </Button>
      {failure !== undefined && (
        <p role="alert" className="w-full text-sm text-error sm:text-end">
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
      <div className="flex min-w-0 items-center gap-4">
        <Cover
          title={place.title}
          authors={place.authors}
          imageUrl={place.image_url}
          decorative
          className="w-14 shrink-0"
        />
        <div className="min-w-0">
          <p dir="auto" className="font-serif font-semibold break-words">
            <Link to={`/book/${place.listingId}`} className="hover:underline">
              {place.title}
            </Link>
          </p>
          {place.authors !== '' && (
            <p dir="auto" className="text-sm break-words text-muted">
              {place.authors}
            </p>
          )}
          <p className="mt-1 text-sm text-muted">{placeText(place)}</p>
        </div>
      </div>
    ),
  },
  {
    header: 'Price',
    end: true,
    cell: (place) => <span className="font-semibold tabular-nums">{formatDollars(place.price)}</span>,
  },
  { header: 'Waiting list', end: true, quiet: true, cell: (place) => <Leave place={place} /> },
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
      />
    </section>
  );
};
