import type { Booking } from '#contract/bookings/bookings.ts';
import { formatTime } from '#contract/time.ts';
import type { PaymentOutcome } from './pay.ts';

const UNREACHABLE =
  'The payment service cannot be reached; you seem to be offline. Check your connection and press Pay again: you are never charged twice.';

/** Why a payment was not made, what that means for the book, and what to do. */
export const wordsOf = (
  { message, because }: Extract<PaymentOutcome, { kind: 'problem' }>,
  { hold, holdExpiresAt }: Pick<Booking, 'hold' | 'holdExpiresAt'>,
  timeZone: string,
): string => {
  if (because === 'unreachable') return UNREACHABLE;
  if (because === 'typed') return message;
  const stays =
    hold === 'held' && holdExpiresAt !== null
      ? `, the book stays yours until ${formatTime(holdExpiresAt, timeZone)}; try another card.`
      : '; try another card.';
  return `${message} Nothing was charged${stays}`;
};
