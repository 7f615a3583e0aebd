import type { Generated } from 'kysely';
import type { Condition } from '#contract/catalog/catalog.ts';
import type { OfferState, WantState } from '#contract/wants/want-states.ts';
import type { RuledOut } from '#contract/wants/wants.ts';

/** What a reader looks for. */
export interface WantsTable {
  id: Generated<string>;
  user_id: string;
  isbn13: Generated<string>;
  title: Generated<string>;
  author: Generated<string>;
  title_key: Generated<string | null>;
  max_cents: number | null;
  condition: Condition | null;
  near: Generated<string>;
  km: Generated<10 | 25 | 100>;
  without: Generated<RuledOut[]>;
  state: Generated<WantState>;
  passes: Generated<number>;
  since: Generated<Date>;
  ends_at: Date;
  feed_token: Generated<string>;
  told_ended: Generated<boolean>;
}

/** Copies that readers were offered, each held by a booking. */
export interface WantOffersTable {
  id: Generated<string>;
  want_id: string;
  listing_id: string;
  booking_id: string;
  state: Generated<OfferState>;
  offered_at: Generated<Date>;
  until: Date;
}

/** Copies off the shelf that may fit a want. */
export interface CopiesAsideTable {
  listing_id: string;
  offers: Generated<number>;
  is_due: Generated<boolean>;
}

/** Copies that readers marked. */
export interface WishesTable {
  user_id: string;
  listing_id: string;
  since: Generated<Date>;
  told_cents: number;
  told_gone: Generated<boolean>;
}

/** Searches of which readers are told what is new. */
export interface SavedSearchesTable {
  id: string;
  user_id: string;
  name: string;
  query: string;
  since: Generated<Date>;
  told_at: Generated<Date>;
  feed_token: Generated<string>;
}

/** When somebody was last told of all that. */
export interface DigestsTable {
  user_id: string;
  sent_at: Generated<Date>;
}
