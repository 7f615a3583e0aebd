import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import { bookCopy } from '#contract/bookings/bookings.ts';
import type { Listing, ListingStatus } from '#contract/catalog/catalog.ts';
import type { SessionUser } from '#contract/users/identity.ts';
import { formatDollars } from '#contract/money/money.ts';
import { formatTime } from '#contract/time.ts';
import { ApiError } from '#web/api/api-error.ts';
import { call, newIdempotencyKey } from '#web/api/call.ts';
import { useForm } from '#web/shell/forms/use-form.ts';
import { readersTimeZone } from '#web/shell/data/use-time-zone.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { Cover } from '#web/ui/cover.tsx';
import { Field, ReadOnlyText } from '#web/ui/field.tsx';
import { focusWhenShown } from '#web/ui/focus-when-shown.ts';
import { Notice } from '#web/ui/states.tsx';
import { toast } from '#web/ui/toast/toast-store.ts';
import { learnStanding } from './standings.ts';
import type { Booking } from './booking-state.ts';

interface BookingFormProps {
  listing: Listing;
  user: SessionUser;
  booking: Booking;
  /** Told when the copy turns out to have another status. */
  onStatus: (status: ListingStatus) => void;
}

/**
 * Phone and location are typed, everything else is as the shop knows it. One key per opening makes a double click one
 * booking.
 */
export const BookingForm = ({ listing, user, booking, onStatus }: BookingFormProps) => {
  const [attempt, setAttempt] = useState(newIdempotencyKey);
  const [isTaken, setTaken] = useState(false);
  const phone = useRef<HTMLInputElement>(null);
  // The first that can be typed in; what stands above it is read with the dialog.
  useEffect(() => focusWhenShown(phone.current), []);
  /** Where a buyer goes on who cannot book here. */
  const [next, setNext] = useState<{ to: string; label: string }>();
  const form = useForm({
    names: ['phone', 'location'],
    check: () => ({}),
    send: async ({ phone, location }) => {
      const { title, image_url, resale_price: price, _id: listingId } = listing;
      const body = { listingId, title, image_url, price, buyer: user.displayName, email: user.email, phone, location };
      try {
        const { insertedId, holdExpiresAt } = await call(bookCopy, { body }, { idempotencyKey: attempt });
        toast('Booking successful', {
          text: `Reserved until ${formatTime(holdExpiresAt, readersTimeZone())}.`,
          link: { to: `/dashboard/payment/${insertedId}`, children: 'Pay now' },
        });
        const held = { kind: 'held', bookingId: insertedId, until: holdExpiresAt } as const;
        learnStanding(listingId, { ...held, boughtAt: null, place: null });
      } catch (error) {
        // A refusal is final for its key; without an answer the same key finds out what became of the booking.
        if (error instanceof ApiError && error.status >= 400 && error.status < 500) setAttempt(newIdempotencyKey());
        if (error instanceof ApiError && error.code === 'copy_taken') {
          onStatus('Reserved');
          setTaken(true);
        }
        if (error instanceof ApiError) {
          const { code, change } = error;
          if (code === 'price_changed' || code === 'record_differs') booking.reload();
          if (code === 'too_many') setNext({ to: '/dashboard/my_orders', label: 'My Orders' });
          if (change !== undefined)
            setNext({ to: `/dashboard/payment/${change.bookingId}`, label: 'See what has changed' });
        }
        throw error;
      }
      onStatus('Reserved');
      booking.close();
    },
  });
  return (
    <form {...form.props} className="flex flex-col gap-4" aria-label={`Book ${listing.title}`}>
      <div className="flex gap-4">
        <Cover
          title={listing.title}
          authors={listing.authors}
          imageUrl={listing.image_url}
          eager
          className="w-24 shrink-0 self-start"
        />
        <div className="flex min-w-0 flex-1 flex-col gap-4">
          <ReadOnlyText label="Title" value={listing.title} />
          <Field label="Price" value={formatDollars(listing.resale_price)} readOnly />
        </div>
      </div>
      <Field label="Email" type="email" value={user.email} readOnly />
      <Field
        ref={phone}
        label="Phone"
        type="tel"
        autoComplete="tel"
        maxLength={200}
        optional
        {...form.field('phone')}
      />
      <Field
        label="Location"
        autoComplete="address-level2"
        maxLength={200}
        optional
        hint="Where you would like to meet or have it sent"
        {...form.field('location')}
      />
      {form.failure !== undefined && (
        <Notice
          tone="error"
          action={
            isTaken ? (
              <Button look="secondary" onClick={booking.reload}>
                See its waiting list
              </Button>
            ) : (
              next && (
                <Link to={next.to} className={buttonClass('secondary')}>
                  {next.label}
                </Link>
              )
            )
          }
        >
          {form.failure}
        </Notice>
      )}
      <p className="text-sm text-muted">
        Booking reserves this copy for you for a short while. You pay by card after that.
      </p>
      <div className="flex flex-wrap justify-end gap-3">
        <Button look="secondary" onClick={booking.close}>
          Cancel
        </Button>
        <Button {...form.button}>Book for {formatDollars(listing.resale_price)}</Button>
      </div>
    </form>
  );
};
