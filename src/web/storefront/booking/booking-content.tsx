import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/states.tsx';
import { BookingForm } from './booking-form.tsx';
import { SoldNotice } from './sold-notice.tsx';
import { WaitlistPanel } from './waitlist-panel.tsx';
import type { BookingContentProps } from './booking-state.ts';

const OwnNotice = ({ onClose }: { onClose: () => void }) => (
  <Notice
    title="This is your own book"
    action={
      <Button look="secondary" onClick={onClose}>
        Look for another
      </Button>
    }
  >
    You listed this copy yourself, so you cannot book it.
  </Notice>
);

/** What can be done about a copy: book it, wait for it, or read why neither. */
export const BookingContent = ({ listing, user, booking, onLearned }: BookingContentProps) => {
  if (listing.status === 'Sold') return <SoldNotice onClose={booking.close} />;
  if (listing.email !== '' && listing.email.toLowerCase() === user.email.toLowerCase())
    return <OwnNotice onClose={booking.close} />;
  if (listing.status === 'Reserved') {
    return <WaitlistPanel listing={listing} booking={booking} onWaiting={(waiting) => onLearned({ waiting })} />;
  }
  return <BookingForm listing={listing} user={user} booking={booking} onStatus={(status) => onLearned({ status })} />;
};
