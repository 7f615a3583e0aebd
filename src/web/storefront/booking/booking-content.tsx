import { Link } from 'react-router';
import type { Listing } from '#contract/catalog/catalog.ts';
import type { SessionUser } from '#contract/users/identity.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/states.tsx';
import { BookingForm } from './booking-form.tsx';
import { WaitlistPanel } from './waitlist-panel.tsx';
import type { Booking, BookingContentProps } from './booking-state.ts';

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

/** What can be done about a copy: book it, wait for it, or read why neither. */
export const BookingContent = ({ listing, user, booking, onLearned }: BookingContentProps) => {
  if (obstacleOf(listing, user) !== undefined) return <Obstacle booking={booking} listing={listing} user={user} />;
  if (listing.status === 'Reserved') {
    return <WaitlistPanel listing={listing} booking={booking} onWaiting={(waiting) => onLearned({ waiting })} />;
  }
  return <BookingForm listing={listing} user={user} booking={booking} onStatus={(status) => onLearned({ status })} />;
};
