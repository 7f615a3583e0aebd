import type { BookingOfMine } from '#contract/bookings/bookings.ts';

export type BuyerStanding = 'Paid' | 'Refunded' | 'Not paid yet' | 'Lapsed' | 'Cancelled';

/** How a booking stands for the seller: whether money came, went back, may still come, or will not. */
export const standingOf = (booking: Pick<BookingOfMine, 'paid' | 'refunded' | 'cancelled' | 'hold'>): BuyerStanding => {
  if (booking.refunded) return 'Refunded';
  if (booking.paid) return 'Paid';
  if (booking.cancelled) return 'Cancelled';
  return booking.hold === 'held' ? 'Not paid yet' : 'Lapsed';
};

/** How the seller reaches the buyer, as far as they may know and the buyer said. */
export const reachText = (booking: Pick<BookingOfMine, 'paid' | 'refunded' | 'phone' | 'location'>): string => {
  if (!booking.paid) return 'You’ll see contact details after payment';
  if (booking.refunded) return 'Contact details are no longer shown';
  const known = [booking.phone, booking.location].filter((text) => text !== '');
  return known.length === 0 ? 'No phone number or place given' : known.join(' · ');
};
