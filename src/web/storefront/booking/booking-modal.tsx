import { useEffect, useRef } from 'react';
import { Button } from '#web/ui/button.tsx';
import { Modal } from '#web/ui/modal.tsx';
import { Notice, Skeleton } from '#web/ui/states.tsx';
import { BookForm, stepOf } from './book-now.tsx';
import type { Booking } from './booking-state.ts';
import { useBooking } from './use-booking.ts';
import type { Learned } from '#web/storefront/lists/use-shelf.ts';

const Content = ({ booking, onLearned }: { booking: Booking; onLearned: (learned: Learned) => void }) => {
  const { state } = booking;
  switch (state.kind) {
    case 'ready':
      return <state.Content listing={state.listing} user={state.user} booking={booking} onLearned={onLearned} />;
    case 'failed':
      return (
        <Notice
          tone="error"
          title="This book could not be opened"
          action={<Button onClick={booking.reload}>Try again</Button>}
        >
          {state.message}
        </Notice>
      );
    default:
      return (
        <div role="status" className="flex flex-col gap-4">
          <span className="sr-only">Loading the book</span>
          <Skeleton className="h-36" />
          <Skeleton className="h-11" />
          <Skeleton className="h-11" />
        </div>
      );
  }
};

const titleOf = (state: Booking['state']): string => {
  if (state.kind !== 'ready') return 'Book this copy';
  return state.listing.status === 'Reserved'
    ? `Waiting list for ${state.listing.title}`
    : `Book ${state.listing.title}`;
};

/**
 * A dialog gives the focus back to what opened it; where that is gone, as after a booking or when the page began with
 * the dialog, it goes to what can be done about the copy now.
 */
const useFocusAfter = (state: Booking['state']): void => {
  const last = useRef<string>(undefined);
  useEffect(() => {
    if (state.kind === 'ready') last.current = state.listing._id;
    if (state.kind !== 'closed' || last.current === undefined) return;
    const step = stepOf(last.current);
    last.current = undefined;
    if (document.activeElement === document.body) step?.focus();
  }, [state]);
};

/** The booking dialog of a page with listings; which copy it is about stands in the address. */
export const BookingModal = ({ onLearned }: { onLearned: (id: string, learned: Learned) => void }) => {
  const booking = useBooking();
  const { state, close } = booking;
  const title = titleOf(state);
  useFocusAfter(state);
  return (
    <>
      <BookForm />
      <Modal open={state.kind !== 'closed'} title={title} onClose={close}>
        <Content
          booking={booking}
          onLearned={(learned) => {
            if (state.kind === 'ready') onLearned(state.listing._id, learned);
          }}
        />
      </Modal>
    </>
  );
};
