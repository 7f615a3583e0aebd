import type { BookingOfMine } from '#contract/bookings.ts';

export type BuyerStanding = 'Paid' | 'Refunded' | 'Not paid yet' | 'Lapsed' | 'Cancelled';

/** How a booking stands for the seller: whether money came, went back, may still come, or will not. */
export const standingOf = (booking: Pick<BookingOfMine, 'paid' | 'refunded' | 'cancelled' | 'hold'>): BuyerStanding => {
  if (booking.refunded) return 'Refunded';
  if (booking.paid) return 'Paid';
  if (booking.cancelled) return 'Cancelled';
  return booking.hold === 'held' ? 'Not paid yet' : 'Lapsed';
};

/** How the seller reaches the buyer, as far as they may know and the buyer said. */
export const reachText = (booking: Pick<BookingOfMine, 'paid' | 'phone' | 'location'>): string => {
  if (!booking.paid) return 'Phone is shown once paid';
  const known = [booking.phone, booking.location].filter((text) => text !== '');
  return known.length === 0 ? 'Left no phone' : known.join(' · ');
};

/** When it was booked, by the clock of whoever reads it. */
export const bookedAt = ({ bookedAt: iso }: Pick<BookingOfMine, 'bookedAt'>): string =>
  new Date(iso).toLocaleString('en-GB', { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' });
