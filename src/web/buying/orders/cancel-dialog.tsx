import { useRevalidator } from 'react-router';
import { cancelBooking, type Booking } from '#contract/bookings/bookings.ts';
import { call } from '#web/api/call.ts';
import { Confirmed } from '#web/shell/forms/confirmed.tsx';
import { toast } from '#web/ui/toast/toast-store.ts';

/** Asks before a booking is given up, and gives it up. Open while there is a `booking`. */
export const CancelDialog = ({ booking, onClose }: { booking: Booking | undefined; onClose: () => void }) => {
  const { revalidate } = useRevalidator();
  const cancel = async ({ _id: id, title }: Booking): Promise<void> => {
    await call(cancelBooking, { params: { id } });
    toast('Booking cancelled', { text: `${title} is free for other readers again.` });
    void revalidate();
  };
  return (
    <Confirmed
      of={booking}
      title="Cancel this booking?"
      confirmLabel="Cancel the booking"
      dismissLabel="Keep booking"
      act={cancel}
      onClose={onClose}
    >
      <p>
        Your hold of <em>{booking?.title}</em> ends, and another reader may book it. You can book it again while it is
        free.
      </p>
    </Confirmed>
  );
};
