import type { ListingState } from '#server/catalog/catalog.table.ts';

/** What can become of a copy. A held one is changed by whoever ends its hold, a sold one only after its refund. */
export const COPY_MOVES = {
  available: ['paused', 'held', 'withdrawn'],
  paused: ['available', 'held', 'withdrawn'],
  held: ['available', 'sold'],
  sold: ['available', 'withdrawn'],
  withdrawn: [],
} as const satisfies Record<ListingState, readonly ListingState[]>;

/** A state that a copy in state `From` can be moved to; anything else does not compile. */
export type CopyMove<From extends ListingState> = (typeof COPY_MOVES)[From][number];
