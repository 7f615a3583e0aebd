import { Link } from 'react-router';
import type { Booking } from '#contract/bookings/bookings.ts';
import type { DeliveryKind } from '#contract/delivery/delivery.ts';
import { formatDollars } from '#contract/money/money.ts';
import { useTimeZone } from '#web/shell/data/use-time-zone.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { classes } from '#web/ui/classes.ts';
import { Cover } from '#web/ui/cover.tsx';
import { Notice } from '#web/ui/states.tsx';
import { ToShelves } from './payment-refused.tsx';
import { countdown, heldText, standingOf } from '#web/buying/orders/standing.ts';
import { useNow } from '#web/buying/orders/use-now.ts';

/** Says that no money moves, and what to pay with. */
export const TestBanner = () => (
  <p className="rounded-field bg-base-300/40 px-3 py-2 text-sm text-muted">
    Payments in this shop are a test: no money moves. Pay with the card number{' '}
    <span className="font-semibold whitespace-nowrap text-base-content">4242 4242 4242 4242</span>, any future date and
    any CVC.
  </p>
);

interface WhatNextProps {
  way: DeliveryKind;
  seller: string;
  /** Working days until it is posted, or can be picked up. */
  days: number;
  /** How many books are paid for together. */
  books: number;
}

/** What becomes of the book and of the money once it is paid for. */
export const WhatNext = ({ way, seller, days, books }: WhatNextProps) => {
  const it = books === 1 ? 'it' : 'them';
  const within = `within ${days} working ${days === 1 ? 'day' : 'days'}`;
  return (
    <section aria-labelledby="what-next" className="border-t border-base-300 pt-4 text-sm text-muted">
      <h3 id="what-next" className="font-semibold text-base-content">
        What happens next
      </h3>
      <ol className="mt-1.5 flex list-decimal flex-col gap-1 ps-5">
        <li>You pay, and Dogear holds the money.</li>
        <li>
          <bdi>{seller}</bdi> {way === 'post' ? `posts ${it} ${within}.` : `offers times to pick ${it} up ${within}.`}
        </li>
        <li>
          You say that you have {it}; the seller is paid after that. If a book does not come, or is not as described,
          you get your money back.
        </li>
      </ol>
    </section>
  );
};

const SECOND_MS = 1_000;
/** From here on the countdown is meant to be noticed. */
const LAST_MS = 2 * 60_000;

/** What is left of the hold, to the second; not read out by itself, the sentence beneath says when it ends. */
const Countdown = ({ until, now }: { until: Date; now: Date }) => (
  <p
    role="timer"
    aria-label="Time left to pay"
    className={classes('font-semibold tabular-nums', until.getTime() - now.getTime() < LAST_MS && 'text-error')}
  >
    {countdown(until, now)} <span className="text-sm font-normal">left to pay</span>
  </p>
);

/** What is being paid for, and how the hold of it stands. */
export const Summary = ({ booking, isPaid }: { booking: Booking; isPaid: boolean }) => {
  const now = useNow(SECOND_MS);
  const timeZone = useTimeZone();
  const standing = standingOf(booking, now);
  return (
    <section
      aria-label="Your book"
      className="flex gap-4 rounded-box border border-base-300 bg-base-100 p-4 sm:gap-5 sm:p-5 xl:self-start"
    >
      <Cover
        title={booking.title}
        authors={booking.authors}
        imageUrl={booking.image_url}
        decorative
        eager
        className="w-16 shrink-0 self-start sm:w-24"
      />
      <div className="flex min-w-0 flex-1 flex-col gap-0.5 sm:gap-1">
        <h2 dir="auto" className="font-serif text-lg leading-snug font-semibold break-words sm:text-xl">
          {booking.title}
        </h2>
        {booking.authors !== '' && (
          <p dir="auto" className="truncate text-sm text-muted sm:text-base">
            {booking.authors}
          </p>
        )}
        <p className="font-serif text-xl font-bold sm:mt-2 sm:text-2xl">{formatDollars(booking.price)}</p>
        {!isPaid && standing.kind === 'held' && <Countdown until={standing.until} now={now} />}
        <p className="text-sm text-muted">{isPaid ? 'Paid' : heldText(standing, now, timeZone)}</p>
      </div>
    </section>
  );
};

/** In the place of the card form when there is nothing to pay. */
export const NothingToPay = ({ booking }: { booking: Booking }) => {
  const orders = (
    <Link to="/dashboard/my_orders" className={buttonClass('secondary')}>
      My Orders
    </Link>
  );
  if (booking.refunded) {
    return (
      <Notice tone="info" title="This payment was refunded" action={orders}>
        All of it goes back to the card you paid with. Banks take up to ten days to show it.
      </Notice>
    );
  }
  if (booking.processing) {
    return (
      <Notice tone="info" title="Your payment is on its way" action={orders}>
        Your bank is still working on it, and the book is kept for you meanwhile. You need not pay again.
      </Notice>
    );
  }
  if (booking.paid) {
    return (
      <Notice
        tone="success"
        title="This book is paid"
        action={
          <div className="flex flex-wrap gap-3">
            {booking.orderId !== null && (
              <Link to={`/dashboard/orders/${booking.orderId}`} className={buttonClass()}>
                See your order
              </Link>
            )}
            {orders}
            <Button disabled>Paid</Button>
          </div>
        }
      >
        There is nothing left to pay.
      </Notice>
    );
  }
  return (
    <Notice
      tone="warning"
      title={booking.cancelled ? 'This booking was cancelled' : 'This copy is gone'}
      action={
        <div className="flex flex-wrap gap-3">
          <ToShelves />
          {orders}
        </div>
      }
    >
      {booking.cancelled
        ? 'Nothing was charged. You can book the copy again if it is still on the shelf.'
        : 'Your hold had ended and another reader was quicker, or the copy was taken off the shelf. Nothing was charged.'}
    </Notice>
  );
};
