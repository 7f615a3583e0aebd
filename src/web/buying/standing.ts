import type { Booking } from '#contract/bookings.ts';

/** How a booking stands for its buyer at one moment. */
export type Standing =
  | { readonly kind: 'paid'; readonly at: Date | null }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'held'; readonly until: Date }
  | { readonly kind: 'lapsed' }
  | { readonly kind: 'gone' };

/** The standing of `booking` at `now`: a hold that was running when the list was read may have ended since. */
export const standingOf = (booking: Booking, now: Date): Standing => {
  if (booking.paid) return { kind: 'paid', at: booking.paidAt === null ? null : new Date(booking.paidAt) };
  if (booking.cancelled) return { kind: 'cancelled' };
  if (booking.hold === 'gone') return { kind: 'gone' };
  if (booking.hold !== 'held' || booking.holdExpiresAt === null) return { kind: 'lapsed' };
  const until = new Date(booking.holdExpiresAt);
  return until > now ? { kind: 'held', until } : { kind: 'lapsed' };
};

/** Whether Pay makes sense: the copy is, or may again be, this buyer's to pay for. */
export const canBePaid = (standing: Standing): boolean => standing.kind === 'held' || standing.kind === 'lapsed';

const MINUTE_MS = 60_000;

const clock = (time: Date): string => time.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
const day = (time: Date): string => time.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' });

const leftOf = (until: Date, now: Date): string => {
  const minutes = Math.round((until.getTime() - now.getTime()) / MINUTE_MS);
  if (minutes >= 120) return `${Math.floor(minutes / 60)} hours left`;
  return minutes < 1 ? 'less than a minute left' : `${minutes} min left`;
};

/** The standing in words, by the clock of whoever reads it. */
export const standingText = (standing: Standing, now: Date): string => {
  switch (standing.kind) {
    case 'paid':
      return standing.at === null ? 'Paid' : `Paid on ${day(standing.at)}`;
    case 'cancelled':
      return 'Cancelled';
    case 'held': {
      const isToday = standing.until.toDateString() === now.toDateString();
      const until = isToday ? clock(standing.until) : `${clock(standing.until)} on ${day(standing.until)}`;
      return `Held until ${until} (${leftOf(standing.until, now)})`;
    }
    case 'lapsed':
      return 'Not held any more. Pay takes it again if it is still free.';
    case 'gone':
      return 'Gone: another reader has it, or it was taken off the shelf.';
  }
};
