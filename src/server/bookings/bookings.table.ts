import type { Generated, JSONColumnType } from 'kysely';
import type { CopyPromise } from '#contract/bookings/promise.ts';

export interface BookingsTable {
  id: Generated<string>;
  listing_id: string;
  buyer_id: string;
  /** As the listing has it; what an earlier release books without it, the database fills in. */
  seller_id: string;
  title: string;
  authors: string;
  image_url: string;
  buyer_name: string;
  buyer_email: string;
  phone: string;
  location: string;
  price_cents: number;
  /** Of the copy as it was promised; null where an earlier release booked it. */
  condition: Generated<string | null>;
  details: Generated<string | null>;
  created_at: Generated<Date>;
  paid_at: Date | null;
  cancelled_at: Date | null;
  refunded_at: Generated<Date | null>;
  /** What it was paid for with; null until then. */
  order_id: Generated<string | null>;
  /** For a reader who asked for the book before it came; open until they say that they take it. */
  offered: Generated<'open' | 'taken' | null>;
}

/** What a booking promised of its copy, whole. */
export interface BookingPromisesTable {
  booking_id: string;
  promise: JSONColumnType<CopyPromise, string, string>;
  /** sha-256 of the promise as RFC 8785 writes it. */
  hash: Buffer;
}

export interface HoldsTable {
  listing_id: string;
  booking_id: string;
  buyer_id: string;
  taken_at: Generated<Date>;
  expires_at: Date;
  /** No renewal goes beyond; null where an earlier release took the hold: there is none. */
  renewable_until: Generated<Date | null>;
  /** Since when it is kept past its time while the bank asks its buyer. */
  confirming_since: Generated<Date | null>;
  releasing_at: Date | null;
}

export interface WaitlistEntriesTable {
  /** bigint: a string on the way out of the driver */
  id: Generated<string>;
  listing_id: string;
  buyer_id: string;
  joined_at: Generated<Date>;
}

export interface IdempotencyKeysTable {
  user_id: string;
  operation: string;
  key: string;
  request_hash: Buffer;
  answer: unknown;
  created_at: Generated<Date>;
  /** while a request with the key is under way */
  claimed_at: Generated<Date | null>;
}
