import { useState } from 'react';
import { Link } from 'react-router';
import type { Listing } from '#contract/catalog/catalog.ts';
import { ApiError, messageOf } from '#web/api/api-error.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { Notice, Skeleton } from '#web/ui/states.tsx';
import { toast } from '#web/ui/toast/toast-store.ts';
import { ordinal } from '#web/storefront/lists/listing-words.ts';
import { learnStanding } from './standings.ts';
import type { Booking } from './booking-state.ts';
import { useWaitlist, type Line } from './use-waitlist.ts';

const NOTHING = { bookingId: null, until: null, boughtAt: null } as const;

const othersText = (waiting: number): string => {
  if (waiting === 0) return 'Nobody is waiting for it yet: you would be first.';
  return waiting === 1
    ? 'One reader is waiting for it: you would be second.'
    : `${waiting} readers are waiting for it: you would be ${ordinal(waiting + 1)}.`;
};

const placeText = (place: number, waiting: number): string =>
  waiting === 1 || place === 1
    ? 'You’re first on the waiting list.'
    : `You’re ${ordinal(place)} of ${waiting} on the waiting list.`;

const Held = ({ bookingId }: { bookingId: string }) => (
  <Notice
    tone="success"
    title="This copy is reserved for you"
    action={
      <Link to={`/dashboard/payment/${bookingId}`} className={buttonClass()}>
        Pay for it
      </Link>
    }
  >
    Pay before your time is over and it is yours.
  </Notice>
);

interface WaitlistPanelProps {
  listing: Listing;
  booking: Booking;
  /** Told how many wait, when that changes. */
  onWaiting: (waiting: number) => void;
}

/** What can be done about a place, with what went wrong beneath it. */
const Steps = ({ listing, booking, line, onWaiting }: WaitlistPanelProps & { line: Line }) => {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const { state } = line;
  if (state.kind !== 'ready') return null;
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    try {
      await work();
    } catch (error) {
      setFailure(messageOf(error));
      // The copy stands otherwise than it did a moment ago: show how.
      if (error instanceof ApiError && error.code === 'copy_free') booking.reload();
      if (error instanceof ApiError && error.code === 'own_hold') line.reload();
    } finally {
      setBusy(false);
    }
  };
  const join = () =>
    attempt(async () => {
      const { place, waiting } = await line.join();
      onWaiting(waiting);
      learnStanding(listing._id, { kind: 'waiting', place, ...NOTHING });
      toast('You’re on the waiting list', {
        text: `${ordinal(place)} for ${listing.title}. We’ll email you when it is your turn.`,
      });
    });
  const leave = () =>
    attempt(async () => {
      onWaiting(await line.leave());
      learnStanding(listing._id, undefined);
      toast('You left the waiting list', { text: listing.title, tone: 'info' });
    });
  return (
    <>
      <p role="status" className="font-serif text-lg font-semibold">
        {state.place === null ? othersText(state.waiting) : placeText(state.place, state.waiting)}
      </p>
      <p className="text-muted">
        Another reader has reserved this copy. If they do not pay in time or give it up, it is reserved for the first on
        the waiting list, who gets an email and the same time to pay. It’s free, and you can leave any time.
      </p>
      {failure !== undefined && <Notice tone="error">{failure}</Notice>}
      <div className="flex flex-wrap justify-end gap-3">
        <Button look="secondary" onClick={booking.close}>
          Close
        </Button>
        {state.place === null ? (
          <Button busy={busy} onClick={() => void join()}>
            Join waiting list
          </Button>
        ) : (
          <Button look="danger" busy={busy} onClick={() => void leave()}>
            Leave
            <span className="sr-only"> the waiting list</span>
          </Button>
        )}
      </div>
    </>
  );
};

/** In the place of the booking form while somebody else has the copy: its waiting list. */
export const WaitlistPanel = ({ listing, booking, onWaiting }: WaitlistPanelProps) => {
  const line = useWaitlist(listing._id);
  const { state } = line;
  switch (state.kind) {
    case 'loading':
      return (
        <div role="status" className="flex flex-col gap-4">
          <span className="sr-only">Loading the waiting list</span>
          <Skeleton className="h-7" />
          <Skeleton className="h-16" />
        </div>
      );
    case 'failed':
      return (
        <Notice
          tone="error"
          title="The waiting list could not be loaded"
          action={<Button onClick={line.reload}>Try again</Button>}
        >
          {state.message}
        </Notice>
      );
    case 'ready':
      if (state.bookingId !== null) return <Held bookingId={state.bookingId} />;
      return (
        <div className="flex flex-col gap-4">
          <Steps listing={listing} booking={booking} line={line} onWaiting={onWaiting} />
        </div>
      );
    default:
      return state satisfies never;
  }
};
