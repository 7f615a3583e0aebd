import { AppError } from '#server/platform/errors.ts';
import { isLocked } from './listing.policy.ts';
import type { LockedListing } from './managing.queries.ts';

const LOCKED_BECAUSE = {
  held: 'A buyer has reserved this book: it cannot be changed or deleted until the reservation ends',
  sold: 'This book is sold: it cannot be changed or deleted any more',
} as const;

/** Refuses what nobody may do to a copy that a buyer has a claim on. */
export const requireUnlocked = (listing: Pick<LockedListing, 'state'>): void => {
  if (isLocked(listing.state)) throw new AppError('copy_locked', LOCKED_BECAUSE[listing.state]);
};
