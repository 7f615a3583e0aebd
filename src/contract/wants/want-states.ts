/** How a want stands. An offer that is passed on is a state of the offer: its want waits on, or is paused. */
export type WantState = 'active' | 'offered' | 'bought' | 'paused' | 'expired';

/** What can become of a want, by what happens. */
export const WANT_MOVES = {
  active: { offer: 'offered', pause: 'paused', expire: 'expired' },
  offered: { buy: 'bought', pass: 'active', 'pass again': 'paused' },
  bought: { resume: 'active' },
  paused: { resume: 'active', expire: 'expired' },
  expired: { resume: 'active' },
} as const satisfies Record<WantState, Readonly<Record<string, WantState>>>;

/** How an offer stands: it ends by being bought, passed on, or when its time is over. */
export type OfferState = 'open' | 'taken' | 'bought' | 'passed' | 'lapsed';

// The database keeps the next two (db/migrations/0100-wants.sql), and the tests hold it to them.
/** So many offers passed on in a row pause a want. */
export const PASSES_THAT_PAUSE = 5;
/** So many readers are offered a copy before it is on the shelf. */
export const MOST_OFFERS = 3;
export const MOST_WANTS = 200;
/** A want ends so long after it was made or renewed. */
export const WANT_MONTHS = 12;
/** Fewer readers who want a book are not told of, so that nobody is exposed. */
export const LEAST_READERS = 3;
