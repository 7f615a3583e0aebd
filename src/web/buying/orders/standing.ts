import type { Booking } from '#contract/bookings/bookings.ts';
import { formatDate, formatTime } from '#contract/time.ts';

/** How a booking stands for its buyer at one moment. */
export type Standing =
  | { readonly kind: 'paid'; readonly at: Date | null }
  | { readonly kind: 'refunded'; readonly at: Date | null }
  | { readonly kind: 'processing' }
  | { readonly kind: 'cancelled' }
  /** `isFinal`: the time is not renewed any more. */
  | { readonly kind: 'held'; readonly until: Date; readonly isFinal: boolean }
  | { readonly kind: 'lapsed' }
  | { readonly kind: 'gone' };

const dateOf = (iso: string | null): Date | null => (iso === null ? null : new Date(iso));

/** The standing of `booking` at `now`: a hold that was running when the list was read may have ended since. */
export const standingOf = (booking: Booking, now: Date): Standing => {
  if (booking.refunded) return { kind: 'refunded', at: dateOf(booking.refundedAt) };
  if (booking.paid) return { kind: 'paid', at: dateOf(booking.paidAt) };
  if (booking.cancelled) return { kind: 'cancelled' };
  if (booking.processing) return { kind: 'processing' };
  if (booking.hold === 'gone') return { kind: 'gone' };
  if (booking.hold !== 'held' || booking.holdExpiresAt === null) return { kind: 'lapsed' };
  const until = new Date(booking.holdExpiresAt);
  return until > now ? { kind: 'held', until, isFinal: booking.holdIsFinal } : { kind: 'lapsed' };
};

/** Whether Pay makes sense: the copy is, or may again be, this buyer's to pay for. */
export const canBePaid = (standing: Standing): boolean => standing.kind === 'held' || standing.kind === 'lapsed';

const MINUTE_MS = 60_000;

const leftOf = (until: Date, now: Date): string => {
  const minutes = Math.round((until.getTime() - now.getTime()) / MINUTE_MS);
  if (minutes >= 120) return `${Math.floor(minutes / 60)} hours left`;
  return minutes < 1 ? 'less than a minute left' : `${minutes} min left`;
};

/** As `standingText`, where a countdown stands beside it. */
export const heldText = (standing: Standing, now: Date, timeZone: string): string => {
  if (standing.kind !== 'held') return standingText(standing, now, timeZone);
  const [time, day] = [formatTime(standing.until, timeZone), formatDate(standing.until, timeZone)];
  const until = day === formatDate(now, timeZone) ? time : `${time} on ${day}`;
  return standing.isFinal ? `Pay by ${until}` : `Reserved for you until ${until}`;
};

/** The standing in words, by the clock of `timeZone`. */
export const standingText = (standing: Standing, now: Date, timeZone: string): string => {
  switch (standing.kind) {
    case 'paid':
      return standing.at === null ? 'Paid' : `Paid on ${formatDate(standing.at, timeZone)}`;
    case 'refunded':
      return standing.at === null
        ? 'Refunded'
        : `Refunded on ${formatDate(standing.at, timeZone)}. Banks take up to ten days to show it.`;
    case 'processing':
      return 'Your payment is on its way. The book is kept for you meanwhile.';
    case 'cancelled':
      return 'Cancelled';
    case 'held':
      return `${heldText(standing, now, timeZone)} (${leftOf(standing.until, now)})`;
    case 'lapsed':
      return 'Not held any more. Pay takes it again if it is still free.';
    case 'gone':
      return 'Gone: another reader has it, or it was taken off the shelf.';
  }
};

/** What is left of a hold, in whole seconds, never more than there is: `29:59`, or with hours `1:29:59`. */
export const countdown = (until: Date, now: Date): string => {
  const seconds = Math.max(0, Math.floor((until.getTime() - now.getTime()) / 1_000));
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${hours > 0 ? `${hours}:${two(minutes)}` : minutes}:${two(seconds % 60)}`;
};
