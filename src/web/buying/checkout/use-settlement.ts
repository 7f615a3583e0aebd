import { useState } from 'react';
import { readBooking, type BookingDetail } from '#contract/bookings/bookings.ts';
import { recordPayment } from '#contract/money/payments.ts';
import { call } from '#web/api/call.ts';
import { settlePayment, type Delay, type Settled } from './settle-payment.ts';

/** What became of the money, from the moment the provider has taken it. */
export type SettlementState = { readonly transactionId: string } & (
  | { readonly kind: 'recording'; readonly delay: Delay | undefined }
  | Settled
);

export interface Settlement {
  /** Undefined as long as nothing was paid on this page. */
  readonly state: SettlementState | undefined;
  readonly settle: (transactionId: string) => void;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Has the shop write the payment of `booking` down, and says how that goes; `onRead` is told of the booking once it is
 * paid.
 */
export const useSettlement = (
  { _id: bookingId, price, email }: BookingDetail,
  onRead: (booking: BookingDetail) => void,
): Settlement => {
  const [state, setState] = useState<SettlementState>();
  const run = async (transactionId: string): Promise<void> => {
    setState({ kind: 'recording', delay: undefined, transactionId });
    const settled = await settlePayment({
      record: () => call(recordPayment, { body: { price, transactionId, email, bookingId } }),
      onDelay: (delay) => setState({ kind: 'recording', delay, transactionId }),
      pause,
    });
    setState({ ...settled, transactionId });
    // Who the seller is and how to reach them; My Orders tells it too.
    if (settled.kind === 'recorded')
      await call(readBooking, { params: { id: bookingId } }).then(onRead, () => undefined);
  };
  return { state, settle: (transactionId) => void run(transactionId) };
};
