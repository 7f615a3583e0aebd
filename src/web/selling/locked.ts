import type { ListingStatus } from '#contract/catalog/catalog.ts';

/** Why a copy cannot be changed or deleted now; undefined when it can. */
export const lockedBecause = (status: ListingStatus): string | undefined => {
  switch (status) {
    case 'Available':
    case 'Paused':
      return undefined;
    case 'Reserved':
      return 'A reader has this book on hold. It can be edited or deleted once the hold is over.';
    case 'Sold':
      return 'This book is sold. What its buyer paid for stays as it is.';
  }
};
