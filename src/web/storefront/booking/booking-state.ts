import type { ComponentType } from 'react';
import type { Listing } from '#contract/catalog/catalog.ts';
import type { SessionUser } from '#contract/users/identity.ts';
import type { WaysData } from '#web/shell/social/social-ways.ts';
import type { Learned } from '#web/storefront/lists/use-shelf.ts';

export type BookingState =
  | { readonly kind: 'closed' }
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly message: string }
  /** Nobody is signed in: that comes first. */
  | {
      readonly kind: 'stranger';
      readonly listing: Listing;
      readonly ways: WaysData['ways'];
      readonly Content: ComponentType<StrangerContentProps>;
    }
  | {
      readonly kind: 'ready';
      readonly listing: Listing;
      readonly user: SessionUser;
      readonly Content: ComponentType<BookingContentProps>;
    };

export interface Booking {
  /** The copy that the address names. */
  readonly id: string | null;
  readonly state: BookingState;
  readonly close: () => void;
  /** Reads the copy again: what was shown of it turned out to be old. */
  readonly reload: () => void;
}

export interface StrangerContentProps {
  listing: Listing;
  ways: WaysData['ways'];
  onClose: () => void;
}

export interface BookingContentProps {
  listing: Listing;
  user: SessionUser;
  booking: Booking;
  /** Told what the copy turns out to be. */
  onLearned: (learned: Learned) => void;
}
