import type { ReactNode } from 'react';
import type { Listing } from '#contract/catalog/catalog.ts';
import type { Standing } from '#contract/bookings/standing.ts';
import { Time } from '#web/shell/data/time.tsx';
import { ordinal } from '#web/storefront/lists/listing-words.ts';

/** What the page of a copy says to whoever it is something to; undefined: what it says to everybody. */
export const standingNote = (listing: Pick<Listing, 'status'>, standing: Standing | undefined): ReactNode => {
  switch (standing?.kind) {
    case 'held':
      if (standing.until === null)
        return 'Your reservation has run out. You can still pay, as long as nobody else takes the copy.';
      return (
        <>
          Reserved for you until <Time at={standing.until} as="time" />. Pay by then and it is yours.
        </>
      );
    case 'bought':
      return standing.boughtAt === null ? (
        'You bought this.'
      ) : (
        <>
          You bought this on <Time at={standing.boughtAt} as="date" />.
        </>
      );
    case 'own':
      return listing.status === 'Available' || listing.status === 'Paused'
        ? 'You listed this copy.'
        : 'You listed this copy. See My Buyers for who has it.';
    case 'waiting':
      return listing.status === 'Reserved'
        ? `You’re ${ordinal(standing.place ?? 1)} on the waiting list. We’ll email you when it is your turn.`
        : undefined;
    default:
      return undefined;
  }
};
