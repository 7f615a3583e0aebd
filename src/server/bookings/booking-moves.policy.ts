export type BookingState = 'unpaid' | 'paid' | 'refunded' | 'cancelled';

/** What can become of a booking. Paid is final but for the refund; nothing follows a refund or a cancellation. */
export const BOOKING_MOVES = {
  unpaid: ['paid', 'cancelled'],
  paid: ['refunded'],
  refunded: [],
  cancelled: [],
} as const satisfies Record<BookingState, readonly BookingState[]>;

interface Stamps {
  readonly paidAt: Date | null;
  readonly cancelledAt: Date | null;
  readonly refundedAt: Date | null;
}

export const stateOf = (booking: Stamps): BookingState => {
  if (booking.refundedAt !== null) return 'refunded';
  if (booking.paidAt !== null) return 'paid';
  return booking.cancelledAt === null ? 'unpaid' : 'cancelled';
};

/** Whether a booking as it is may become `next`. */
export const mayBecome = (booking: Stamps, next: BookingState): boolean => {
  const moves: readonly BookingState[] = BOOKING_MOVES[stateOf(booking)];
  return moves.includes(next);
};
