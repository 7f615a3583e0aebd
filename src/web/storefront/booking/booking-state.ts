import type { ComponentType } from 'react';
import type { Listing } from '#contract/catalog/catalog.ts';
import type { SessionUser } from '#contract/users/identity.ts';
import type { Learned } from '#web/storefront/lists/use-shelf.ts';

export type BookingState =
  | { readonly kind: 'closed' }
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly message: string }
  | {
      readonly kind: 'ready';
      readonly listing: Listing;
      readonly user: SessionUser;
      readonly Content: ComponentType<BookingContentProps>;
    };

export interface Booking {
  readonly state: BookingState;
  readonly close: () => void;
  /** Reads the copy again: what was shown of it turned out to be old. */
  readonly reload: () => void;
}

export interface BookingContentProps {
  listing: Listing;
  user: SessionUser;
  booking: Booking;
  /** Told what the copy turns out to be. */
  onLearned: (learned: Learned) => void;
}
