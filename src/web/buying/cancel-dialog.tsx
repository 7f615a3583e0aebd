import { useState } from 'react';
import { useRevalidator } from 'react-router';
import { cancelBooking, type Booking } from '#contract/bookings.ts';
import { messageOf } from '#web/api/api-error.ts';
import { call } from '#web/api/call.ts';
import { Confirm } from '#web/ui/modal.tsx';
import { Notice } from '#web/ui/states.tsx';
import { toast } from '#web/ui/toast-store.ts';

/** Asks before a booking is given up, and gives it up. Open while there is a `booking`. */
export const CancelDialog = ({ booking, onClose }: { booking: Booking | undefined; onClose: () => void }) => {
  const { revalidate } = useRevalidator();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const close = (): void => {
    setFailure(undefined);
    onClose();
  };
  const cancel = async (): Promise<void> => {
    if (booking === undefined) return;
    setBusy(true);
    setFailure(undefined);
    try {
      await call(cancelBooking, { params: { id: booking._id } });
      toast('Booking cancelled', { text: `${booking.title} is free for other readers again.` });
      close();
      await revalidate();
    } catch (error) {
      setFailure(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Confirm
      open={booking !== undefined}
      title="Cancel this booking?"
      confirmLabel="Cancel the booking"
      busy={busy}
      onConfirm={() => void cancel()}
      onClose={close}
    >
      <p>
        Your hold of <em>{booking?.title}</em> ends, and another reader may book it. You can book it again while it is
        free.
      </p>
      {failure !== undefined && (
        <div className="mt-4">
          <Notice tone="error">{failure}</Notice>
        </div>
      )}
    </Confirm>
  );
};
