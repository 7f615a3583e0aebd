import type { Condition } from '#contract/catalog/catalog.ts';
import type { Passport } from '#contract/catalog/passport/passport.ts';
import type { Generated } from 'kysely';

export interface CategoriesTable {
  id: string;
  name: string;
  created_by: string | null;
  created_at: Generated<Date>;
}

/** What changes added to the shelf or took from it; their sum is how many copies are on it. */
export interface ShelfChangesTable {
  id: Generated<string>;
  copies: string;
}

export type ListingState = 'available' | 'paused' | 'held' | 'sold' | 'withdrawn';

export interface ListingsTable {
  id: Generated<string>;
  seller_id: string;
  category_id: string;
  title: string;
  authors: Generated<string>;
  isbn13: Generated<string>;
  published_year: number | null;
  publisher: Generated<string>;
  /** the name of a photo, or the address of a picture that is not fetched yet; empty where there is none */
  image_url: Generated<string>;
  /** the address that its photo was fetched from */
  image_source: Generated<string>;
  original_cents: number;
  resale_cents: number;
  /** numeric(4,1): a string on the way out of the driver */
  years_of_use: string | number;
  /** false: 0 years are no fact */
  years_known: Generated<boolean>;
  /** false: the original price is the resale price, and no fact */
  original_known: Generated<boolean>;
  location: string;
  phone: string;
  details: string;
  condition: Condition;
  status: Generated<ListingState>;
  /** available or held; the database holds it to the status */
  on_shelf: Generated<boolean>;
  /** when it was withdrawn, if it is; the database holds it to the status */
  withdrawn_at: Generated<Date | null>;
  /** its seller paused it by itself, not with the whole shelf */
  paused_alone: Generated<boolean>;
  /** An admin looks at it before it is on the shelf. */
  waits_for_look: Generated<boolean>;
  import_key: string | null;
  published_at: Generated<Date>;
  updated_at: Generated<Date>;
}

/** Changes of prices by sellers. */
export interface PriceChangesTable {
  listing_id: string;
  changed_at: Generated<Date>;
  from_cents: number;
  to_cents: number;
  /** the lowest price of the thirty days before, where the new one is lower */
  was_cents: number | null;
}

/** Sellers whose whole shelf is paused. */
export interface ShelfPausesTable {
  seller_id: string;
  /** the day of return in the shop's time zone; null where there is none */
  until: string | null;
  /** when that day begins */
  returns_at: Date | null;
  paused_at: Generated<Date>;
  /** set until all copies are back */
  ended_at: Date | null;
}

/** What a seller typed into Add A Product and has not sent. */
export interface ListingDraftsTable {
  owner_id: string;
  version: string;
  /** by the names of the form's fields */
  fields: Record<string, string>;
  photos: readonly { readonly id: string; readonly caption: string | null }[];
  saved_at: Generated<Date>;
}

/** How a seller's copies come to their buyers; no row: pickup where the copy is, and no post. */
export interface DeliveryTermsTable {
  seller_id: string;
  pickup: boolean;
  /** empty: where the copy's listing says */
  pickup_place: string;
  post: boolean;
  first_cents: number;
  further_cents: number;
  /** null: never */
  free_from_cents: number | null;
  countries: readonly string[];
  /** the country they post from */
  home: Generated<string>;
  days_to_post: number;
  updated_at: Generated<Date>;
}

/** What is different for one copy; null: as for all of its seller's. */
export interface DeliveryExceptionsTable {
  listing_id: string;
  pickup: boolean | null;
  pickup_place: string | null;
  post: boolean | null;
  first_cents: number | null;
  further_cents: number | null;
  /** false: `free_from_cents` says nothing */
  free_from_own: boolean;
  free_from_cents: number | null;
  countries: readonly string[] | null;
  days_to_post: number | null;
  updated_at: Generated<Date>;
}

/** What is said of a copy as data; null, or an empty text, is unknown. */
export interface CopyPassportsTable {
  listing_id: string;
  /** the version of the table of defects */
  rules: number;
  grade: Passport['grade'];
  jacket_grade: Passport['jacketGrade'];
  binding: Passport['binding'];
  language: string;
  pages: number | null;
  edition: string;
  printing: Passport['printing'];
  signed: Passport['signed'];
  jacket: Passport['jacket'];
  book_club: boolean | null;
  ex_library: boolean | null;
  remainder: boolean | null;
  annotated: boolean | null;
  no_defects: boolean;
  no_jacket_defects: boolean;
  defects: Passport['defects'];
  from_edition: Passport['fromEdition'];
  updated_at: Generated<Date>;
  /** That of the listing; a trigger writes it. */
  published_at: Generated<Date>;
}
