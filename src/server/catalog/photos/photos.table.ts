import type { Generated } from 'kysely';
import type { PhotoCaption } from '#contract/catalog/photo-rules.ts';

/** What `fetched_from` says of the demo's sample photos (db/seed/photos). */
export const SAMPLE_SOURCE = 'sample';

/** What lies in the store, by a name made of its content. */
export interface PhotoFilesTable {
  name: string;
  /** of the largest size, in pixels */
  width: number;
  height: number;
  colour: string;
  /** of all sizes together */
  bytes: number;
  /** null until all sizes are in the store */
  stored_at: Date | null;
  /** when it is looked at whether anything has it still */
  keep_until: Generated<Date>;
  /** set while it is taken out of the store */
  going_at: Date | null;
  /** when an admin took it down */
  taken_down_at: Date | null;
}

export interface PhotosTable {
  /** made by the client */
  id: string;
  owner_id: string;
  /** null once it was deleted */
  name: string | null;
  /** sha-256 of what was uploaded */
  digest: Buffer;
  /** the address that the shop fetched it from, or `SAMPLE_SOURCE`; null where its owner uploaded it */
  fetched_from: string | null;
  created_at: Generated<Date>;
  /** when it is looked at whether anything has it still */
  keep_until: Generated<Date>;
  deleted_at: Date | null;
}

/** Which part of the store is looked through next for files that no row knows. */
export interface PhotoStoreTurnTable {
  one: Generated<boolean>;
  turn: Generated<number>;
  next_at: Generated<Date>;
}

/** A copy whose picture the shop has not fetched yet. */
export interface PictureFetchesTable {
  listing_id: string;
  host: string;
  tries: Generated<number>;
  next_try_at: Generated<Date>;
}

/** A user whose picture the shop has not fetched yet. */
export interface PortraitFetchesTable extends Omit<PictureFetchesTable, 'listing_id'> {
  user_id: string;
}

/** The photos of a copy; position 0 is the cover. */
export interface ListingPhotosTable {
  listing_id: string;
  position: number;
  photo_id: string;
  caption: PhotoCaption | null;
}

/** The photos that a copy had when it was booked. */
export interface PromisedPhotosTable {
  booking_id: string;
  position: number;
  name: string;
  caption: PhotoCaption | null;
}

/** What somebody shows with a message. */
export interface MessagePhotosTable {
  message_id: string;
  position: number;
  photo_id: string;
}

/** What a buyer shows of a problem with an order. */
export interface OrderPhotosTable {
  order_id: string;
  position: number;
  photo_id: string;
}
