import { useCallback } from 'react';
import { Link } from 'react-router';
import type { Booking } from '#contract/bookings/bookings.ts';
import { addressLines, tidyAddress } from '#contract/delivery/address.ts';
import { ApiError, messageOf } from '#web/api/api-error.ts';
import { Button, buttonClass, type ButtonLook } from '#web/ui/button.tsx';
import { CheckIcon } from '#web/ui/icons.tsx';
import { Notice } from '#web/ui/states.tsx';
import { SellerReach } from '#web/buying/orders/seller-reach.tsx';
import { daysInWords, type Bought } from '#web/buying/delivery/parcel.ts';
import type { Delay } from './settle-payment.ts';
import type { SettlementState } from './use-settlement.ts';

const ToOrders = ({ look = 'primary' }: { look?: ButtonLook }) => (
  <Link to="/dashboard/my_orders" className={buttonClass(look)}>
    My Orders
  </Link>
);

const DELAYS: Record<Delay, string> = {
  processing: 'Your bank is still working on it.',
  unreachable: 'The shop cannot be reached at the moment. Your payment is safe: the payment service has it.',
};

const Transaction = ({ id }: { id: string }) => (
  <p className="text-sm text-muted">
    Transaction ID <code className="block font-mono break-all text-base-content">{id}</code>
  </p>
);

/** What the seller sees of the buyer, in words; undefined when there is nothing. */
const seenOf = ({ phone, location }: Booking): string | undefined => {
  const seen = [phone !== '' && 'phone number', location !== '' && 'place'].filter(Boolean).join(' and ');
  return seen === '' ? undefined : seen;
};

/** How what was paid for comes to its buyer. */
const nextOf = (booking: Booking, bought: Bought | undefined): string => {
  const { Seller: seller } = booking;
  if (bought?.address !== undefined) {
    const to = addressLines(tidyAddress(bought.address)).join(', ');
    return `${seller}, who sells ${bought.books > 1 ? 'them, posts them' : 'it, posts it'} ${daysInWords(bought.daysToPost)} to ${to}.`;
  }
  const seen = seenOf(booking);
  return seen === undefined
    ? `You left no phone number and no place: please get in touch with ${seller}, who sells it.`
    : `${seller}, who sells it, sees your ${seen} now and can get in touch.`;
};

interface ReceiptProps {
  transactionId: string;
  booking: Booking;
  /** Undefined where it was paid on another page. */
  bought: Bought | undefined;
}

const Receipt = ({ transactionId, booking, bought }: ReceiptProps) => {
  const focus = useCallback((heading: HTMLHeadingElement | null) => heading?.focus(), []);
  return (
    <div role="status" className="flex flex-col items-center gap-4 py-4 text-center">
      <CheckIcon className="size-14 text-success" />
      <h2 ref={focus} tabIndex={-1} className="font-serif text-2xl font-semibold outline-none">
        Congrats! Your payment completed
      </h2>
      <Transaction id={transactionId} />
      <p className="max-w-sm text-muted">
        {bought !== undefined && bought.books > 1 ? `These ${bought.books} books are yours.` : 'The book is yours.'}{' '}
        {nextOf(booking, bought)}
      </p>
      <SellerReach booking={booking} />
      <div className="flex flex-wrap justify-center gap-3">
        {booking.orderId !== null && (
          <Link to={`/dashboard/orders/${booking.orderId}`} className={buttonClass()}>
            See your order
          </Link>
        )}
        <ToOrders look={booking.orderId === null ? 'primary' : 'secondary'} />
        <Link to={`/book/${booking.listingId}`} className={buttonClass('secondary')}>
          See the book
        </Link>
      </div>
    </div>
  );
};

/** From the moment the money was taken: being written down, written down, or what to do when that takes long. */
export const SettlementView = ({
  state,
  booking,
  bought,
  onRetry,
}: {
  state: SettlementState;
  booking: Booking;
  bought: Bought | undefined;
  onRetry: () => void;
}) => {
  switch (state.kind) {
    case 'recorded':
      return <Receipt transactionId={state.transactionId} booking={booking} bought={bought} />;
    case 'recording':
      return (
        <div role="status" className="flex flex-col items-center gap-4 py-8 text-center">
          <span className="loading loading-spinner loading-lg text-primary" aria-hidden="true" />
          <p className="font-semibold">Your card was accepted. Writing your payment down…</p>
          {state.delay !== undefined && <p className="max-w-sm text-muted">{DELAYS[state.delay]} Trying again.</p>}
        </div>
      );
    case 'delayed':
      return (
        <div className="flex flex-col gap-4">
          <Notice
            tone="warning"
            title="Your payment is on its way"
            action={
              <div className="flex flex-wrap gap-3">
                <Button onClick={onRetry}>Check again</Button>
                <Link to="/dashboard/my_orders" className={buttonClass('secondary')}>
                  My Orders
                </Link>
              </div>
            }
          >
            {DELAYS[state.delay]} You need not pay again: My Orders shows Paid as soon as it is through.
          </Notice>
          <Transaction id={state.transactionId} />
        </div>
      );
    case 'refused':
      if (state.error instanceof ApiError && state.error.code === 'money_returned') {
        return (
          <div className="flex flex-col gap-4">
            <Notice tone="warning" title="Your payment goes back to you" action={<ToOrders />}>
              {messageOf(state.error)}.
            </Notice>
            <Transaction id={state.transactionId} />
          </div>
        );
      }
      return (
        <div className="flex flex-col gap-4">
          <Notice tone="error" title="The shop could not take note of your payment" action={<ToOrders />}>
            {messageOf(state.error)} If My Orders does not show Paid within a few minutes, keep the transaction ID and
            ask us.
          </Notice>
          <Transaction id={state.transactionId} />
        </div>
      );
    default:
      return state satisfies never;
  }
};
