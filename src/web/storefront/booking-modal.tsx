import { Link } from 'react-router';
import type { Listing } from '#contract/catalog.ts';
import type { SessionUser } from '#contract/identity.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { Modal } from '#web/ui/modal.tsx';
import { Notice, Skeleton } from '#web/ui/states.tsx';
import { BookingForm } from './booking-form.tsx';
import { LinePanel } from './line-panel.tsx';
import { useBooking, type Booking } from './use-booking.ts';
import type { Learned } from './use-shelf.ts';

/** Why this person cannot book this copy; undefined when they can. */
const obstacleOf = (listing: Listing, user: SessionUser): 'taken' | 'own' | 'not-buyer' | undefined => {
  if (listing.status === 'Sold') return 'taken';
  if (listing.email !== '' && listing.email.toLowerCase() === user.email.toLowerCase()) return 'own';
  return user.roles.includes('buyer') ? undefined : 'not-buyer';
};

const Obstacle = ({ booking, listing, user }: { booking: Booking; listing: Listing; user: SessionUser }) => {
  const close = (
    <Button look="secondary" onClick={booking.close}>
      Look for another
    </Button>
  );
  switch (obstacleOf(listing, user)) {
    case 'taken':
      return (
        <Notice title="This copy is sold" action={close}>
          Another reader has bought it.
        </Notice>
      );
    case 'own':
      return (
        <Notice title="This is your own book" action={close}>
          You listed this copy yourself, so you cannot book it.
        </Notice>
      );
    case 'not-buyer':
      return (
        <Notice
          title="Booking is for buyers"
          action={
            <Link to="/user_type" className={buttonClass('secondary')}>
              Choose buyer
            </Link>
          }
        >
          {user.roles.length === 0
            ? 'Your account has no type yet. Choose buyer and you can book this book.'
            : 'Your account is not a buyer account. Add the buyer type to it, or book with another account.'}
        </Notice>
      );
    default:
      return null;
  }
};

const Content = ({ booking, onLearned }: { booking: Booking; onLearned: (learned: Learned) => void }) => {
  const { state } = booking;
  switch (state.kind) {
    case 'ready':
      if (obstacleOf(state.listing, state.user) !== undefined) {
        return <Obstacle booking={booking} listing={state.listing} user={state.user} />;
      }
      if (state.listing.status === 'Reserved') {
        return <LinePanel listing={state.listing} booking={booking} onWaiting={(waiting) => onLearned({ waiting })} />;
      }
      return (
        <BookingForm
          listing={state.listing}
          user={state.user}
          booking={booking}
          onStatus={(status) => onLearned({ status })}
        />
      );
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
  return state.listing.status === 'Reserved' ? `The line for ${state.listing.title}` : `Book ${state.listing.title}`;
};

/** The booking dialog of a page with listings; which copy it is about stands in the address. */
export const BookingModal = ({ onLearned }: { onLearned: (id: string, learned: Learned) => void }) => {
  const booking = useBooking();
  const { state, close } = booking;
  const title = titleOf(state);
  return (
    <Modal open={state.kind !== 'closed'} title={title} onClose={close}>
      <Content
        booking={booking}
        onLearned={(learned) => {
          if (state.kind === 'ready') onLearned(state.listing._id, learned);
        }}
      />
    </Modal>
  );
};
