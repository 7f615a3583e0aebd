import { useState } from 'react';
import { Link } from 'react-router';
import type { Listing } from '#contract/catalog.ts';
import { ApiError, messageOf } from '#web/api/api-error.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { Notice, Skeleton } from '#web/ui/states.tsx';
import { toast } from '#web/ui/toast-store.ts';
import { ordinal } from './listing-words.ts';
import type { Booking } from './use-booking.ts';
import { useLine, type Line } from './use-line.ts';

const othersText = (waiting: number): string => {
  if (waiting === 0) return 'Nobody is waiting for it yet: you would be first in line.';
  return waiting === 1
    ? 'One reader is waiting for it: you would be second in line.'
    : `${waiting} readers are waiting for it: you would be ${ordinal(waiting + 1)} in line.`;
};

const placeText = (place: number, waiting: number): string =>
  waiting === 1 ? 'You are the first and only one in line.' : `You are ${ordinal(place)} of ${waiting} in line.`;

const Held = ({ bookingId }: { bookingId: string }) => (
  <Notice
    tone="success"
    title="This copy is held for you"
    action={
      <Link to={`/dashboard/payment/${bookingId}`} className={buttonClass()}>
        Pay for it
      </Link>
    }
  >
    Pay before your time is over and it is yours.
  </Notice>
);

interface LinePanelProps {
  listing: Listing;
  booking: Booking;
  /** Told how many wait, when that changes. */
  onWaiting: (waiting: number) => void;
}

/** What can be done about a place, with what went wrong beneath it. */
const Steps = ({ listing, booking, line, onWaiting }: LinePanelProps & { line: Line }) => {
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
      toast('You are in line', {
        text: `${ordinal(place)} for ${listing.title}. We write to you when it is your turn.`,
      });
    });
  const leave = () =>
    attempt(async () => {
      onWaiting(await line.leave());
      toast('You left the line', { text: listing.title, tone: 'info' });
    });
  return (
    <>
      <p role="status" className="font-serif text-lg font-semibold">
        {state.place === null ? othersText(state.waiting) : placeText(state.place, state.waiting)}
      </p>
      <p className="text-muted">
        Somebody has this copy for now. If they do not pay in time or give it up, it is held for the first in line, who
        gets a mail and the same time to pay. Waiting costs nothing and binds you to nothing.
      </p>
      {failure !== undefined && <Notice tone="error">{failure}</Notice>}
      <div className="flex flex-wrap justify-end gap-3">
        <Button look="secondary" onClick={booking.close}>
          Close
        </Button>
        {state.place === null ? (
          <Button busy={busy} onClick={() => void join()}>
            Join the line
          </Button>
        ) : (
          <Button look="danger" busy={busy} onClick={() => void leave()}>
            Leave the line
          </Button>
        )}
      </div>
    </>
  );
};

/** In the place of the booking form while somebody else has the copy: the line behind it. */
export const LinePanel = ({ listing, booking, onWaiting }: LinePanelProps) => {
  const line = useLine(listing._id);
  const { state } = line;
  switch (state.kind) {
    case 'loading':
      return (
        <div role="status" className="flex flex-col gap-4">
          <span className="sr-only">Looking at the line</span>
          <Skeleton className="h-7" />
          <Skeleton className="h-16" />
        </div>
      );
    case 'failed':
      return (
        <Notice
          tone="error"
          title="The line could not be looked at"
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
