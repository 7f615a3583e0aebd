import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import { fromQuery } from '#web/shell/data/return-path.ts';
import { useSession } from '#web/shell/data/use-session.ts';
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
    case 'stranger':
      return <state.Content listing={state.listing} ways={state.ways} onClose={booking.close} />;
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

const ACCOUNT_FIRST = 'Create account or sign in';

/** Said when the dialog opens: before the copy is there, too, it is known whether somebody must sign in first. */
const titleOf = (state: Booking['state'], isStranger: boolean): string => {
  if (state.kind === 'stranger' && state.listing.status !== 'Sold') return ACCOUNT_FIRST;
  if (state.kind === 'loading' && isStranger) return ACCOUNT_FIRST;
  if (state.kind !== 'ready' && state.kind !== 'stranger') return 'Book this copy';
  return state.listing.status === 'Reserved'
    ? `Waiting list for ${state.listing.title}`
    : `Book ${state.listing.title}`;
};

/** What comes in the place of something that had the focus takes it over, unless it has put it where it is needed. */
const useFocusWithin = ({ kind }: Booking['state']): void => {
  useEffect(() => {
    if ((kind !== 'ready' && kind !== 'failed') || document.activeElement !== document.body) return;
    document.querySelector<HTMLElement>('dialog[open] button')?.focus();
  }, [kind]);
};

/**
 * A dialog gives the focus back to what opened it; where that is gone, as after a booking or when the page began with
 * the dialog, it goes to what can be done about the copy now.
 */
const useFocusAfter = ({ id }: Booking): void => {
  const last = useRef<string>(undefined);
  useEffect(() => {
    if (id !== null) last.current = id;
    if (id !== null || last.current === undefined) return;
    const step = stepOf(last.current);
    last.current = undefined;
    if (document.activeElement === document.body) step?.focus();
  }, [id]);
};

/** Where no script opens the dialog: to the sign-in page, and from there back to the copy. */
const WithoutScripts = () => {
  const { pathname, search } = useLocation();
  return (
    <noscript>
      <meta httpEquiv="refresh" content={`0;url=/login${fromQuery(`${pathname}${search}`)}`} />
    </noscript>
  );
};

/** The booking dialog of a page with listings; which copy it is about stands in the address. */
export const BookingModal = ({ onLearned }: { onLearned: (id: string, learned: Learned) => void }) => {
  const booking = useBooking();
  const { state, close } = booking;
  const title = titleOf(state, useSession().status === 'out');
  useFocusWithin(state);
  useFocusAfter(booking);
  return (
    <>
      <BookForm />
      {booking.id !== null && <WithoutScripts />}
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
