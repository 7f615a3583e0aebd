import { createHash } from 'node:crypto';
import { parsePublishedYear } from '#contract/listing-rules.ts';
import { repairIsbn } from './isbn-repair.ts';
import type { Note } from './report.ts';

/** The columns that are read, by the names of the Goodbooks data set; others may stand beside them. */
export const NEEDED_COLUMNS = ['isbn', 'isbn13', 'authors', 'original_publication_year', 'title'] as const;
const OTHER_COLUMNS = ['original_title', 'language_code'] as const;
export type Column = (typeof NEEDED_COLUMNS)[number] | (typeof OTHER_COLUMNS)[number];

/** The row's text in a column; `''` where the file has none. */
export type Cells = (column: Column) => string;

/** The book a row is about. */
export interface Book {
  readonly title: string;
  readonly authors: string;
  readonly isbn13: string;
  readonly publishedYear: number | null;
  readonly notes: readonly Note[];
}

const MAX_TITLE_LENGTH = 300;
const MAX_AUTHORS_LENGTH = 500;

const oneLine = (text: string): string => text.trim().replace(/\s+/g, ' ');

/** As many whole names as there is room for: an anthology may name fifty. */
const shortenAuthors = (authors: string): string => {
  const lastComma = authors.lastIndexOf(',', MAX_AUTHORS_LENGTH - 1);
  return authors.slice(0, lastComma > 0 ? lastComma : MAX_AUTHORS_LENGTH).trim();
};

const yearOf = (text: string): { publishedYear: number | null; note?: Note } => {
  const year = text.trim().replace(/\.0+$/, '');
  if (year === '') return { publishedYear: null, note: 'no year' };
  const publishedYear = parsePublishedYear(year);
  if (publishedYear === undefined) return { publishedYear: null, note: 'no year' };
  return publishedYear < 0 ? { publishedYear, note: 'year BC' } : { publishedYear };
};

const ISBN_NOTES = {
  'as given': undefined,
  'zeros put back': 'isbn zeros',
  rebuilt: 'isbn rebuilt',
  unrecoverable: 'isbn lost',
  none: 'no isbn',
} as const;

/** The book of a row, or, as a sentence, why it cannot be listed. */
export const bookOf = (cell: Cells): Book | string => {
  const title = oneLine(cell('title')) || oneLine(cell('original_title'));
  const authors = oneLine(cell('authors'));
  if (title === '') return 'It has no title';
  if (title.length > MAX_TITLE_LENGTH) return `Its title is longer than ${MAX_TITLE_LENGTH} characters`;
  const isbn = repairIsbn(cell('isbn'), cell('isbn13'));
  const year = yearOf(cell('original_publication_year'));
  const fits = authors.length <= MAX_AUTHORS_LENGTH;
  const notes = [ISBN_NOTES[isbn.how], year.note, fits ? undefined : ('authors cut' as const)];
  return {
    title,
    authors: fits ? authors : shortenAuthors(authors),
    isbn13: isbn.isbn13,
    publishedYear: year.publishedYear,
    notes: notes.filter((note) => note !== undefined),
  };
};

/**
 * Tells rows apart by what they say of the book, wherever they stand in the file. Counts that change from one export to
 * the next, such as ratings, are no part of it.
 */
export const rowDigest = (cell: Cells): string => {
  const said = [...NEEDED_COLUMNS, ...OTHER_COLUMNS].map((column) => cell(column).trim());
  return createHash('sha256').update(JSON.stringify(said)).digest('base64url').slice(0, 22);
};
