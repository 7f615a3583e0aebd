import type { ReactNode } from 'react';
import type { Listing } from '#contract/catalog/catalog.ts';
import type { Standing } from '#contract/bookings/standing.ts';
import { Time } from '#web/shell/data/time.tsx';
import { ordinal, statusText, waitingText } from '#web/storefront/lists/listing-words.ts';

type Shown = Pick<Listing, 'status' | 'waiting'>;

/** What stands on a copy's badge. */
export const badgeText = (listing: Shown, standing: Standing | undefined): string => {
  switch (standing?.kind) {
    case 'held':
      return 'Reserved for you';
    case 'bought':
      return 'Yours';
    case 'own':
      return listing.status === 'Available' ? 'Your listing' : `Your listing · ${listing.status}`;
    default:
      return statusText(listing);
  }
};

/** One short line about a reserved copy. */
export const reservedLine = (listing: Shown, standing: Standing | undefined): ReactNode => {
  if (standing?.kind === 'waiting') return `You’re ${ordinal(standing.place ?? 1)} on the list`;
  if (standing?.kind === 'own') return 'Reserved by a buyer';
  if (standing?.kind !== 'held') return waitingText(listing.waiting);
  if (standing.until === null) return 'Your time is up';
  return (
    <>
      Pay by <Time at={standing.until} as="time" />
    </>
  );
};
