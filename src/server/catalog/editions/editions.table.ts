import type { Generated } from 'kysely';

/** What is known of an ISBN. */
export interface EditionsTable {
  isbn13: string;
  title: string;
  authors: Generated<string>;
  publisher: Generated<string>;
  year: number | null;
  language: Generated<string>;
  binding: Generated<string>;
  pages: number | null;
  source: 'dump' | 'open-library';
  fetched_at: Generated<Date>;
}

/** ISBNs that Open Library does not know. */
export interface EditionMissesTable {
  isbn13: string;
  asked_at: Generated<Date>;
}

/** Rows of the files of each filling. */
export interface EditionFillingsTable {
  filled_at: Generated<Date>;
  editions: string;
  works: string;
  authors: string;
}

/** One row. */
export interface OpenLibraryPaceTable {
  one: Generated<boolean>;
  next_at: Date;
}
