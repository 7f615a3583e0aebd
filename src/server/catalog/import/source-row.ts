import { createHash } from 'node:crypto';
import { parsePublishedYear } from '#contract/catalog/listing-rules.ts';
import { MAX_TITLE_LENGTH } from '#contract/catalog/title.ts';
import { BOOK_COLUMNS } from './columns.ts';
import { repairIsbn } from './isbn-repair.ts';
import type { Note } from './report.ts';
import type { Cells } from './source-file.ts';

/** The book a row is about. */
export interface Book {
  readonly title: string;
  readonly authors: string;
  readonly isbn13: string;
  readonly publishedYear: number | null;
  readonly publisher: string;
  readonly notes: readonly Note[];
}

const MAX_AUTHORS_LENGTH = 500;
const MAX_PUBLISHER_LENGTH = 200;

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

const isScientific = (text: string): boolean => /^\s*\d([.,]\d+)?E\+?\d+\s*$/i.test(text);

/** Why a number that is no ISBN is none, for whoever can look at the book. */
const lostIsbn = (cell: Cells): string => {
  const written = [cell('isbn13'), cell('isbn')].find((text) => text.trim() !== '')?.trim() ?? '';
  if (isScientific(written)) {
    return `Its ISBN is written as ${written}: the spreadsheet cut its last digits. Format the column as text and type it again`;
  }
  return `Its ISBN ${written} is none: digits are missing or wrong. Mend it, or leave it empty`;
};

/**
 * The book of a row, or, as a sentence, why it cannot be listed. `lenient`: a book whose ISBN is lost is listed without
 * one.
 */
export const bookOf = (cell: Cells, lenient: boolean): Book | string => {
  const title = oneLine(cell('title')) || oneLine(cell('original_title'));
  const authors = oneLine(cell('authors'));
  if (title === '') return 'It has no title';
  if (title.length > MAX_TITLE_LENGTH) return `Its title is longer than ${MAX_TITLE_LENGTH} characters`;
  const isbn = repairIsbn(cell('isbn'), cell('isbn13'));
  if (isbn.how === 'unrecoverable' && !lenient) return lostIsbn(cell);
  const publisher = oneLine(cell('publisher'));
  if (publisher.length > MAX_PUBLISHER_LENGTH) return `Its publisher is longer than ${MAX_PUBLISHER_LENGTH} characters`;
  const year = yearOf(cell('original_publication_year'));
  const fits = authors.length <= MAX_AUTHORS_LENGTH;
  const notes = [ISBN_NOTES[isbn.how], year.note, fits ? undefined : ('authors cut' as const)];
  return {
    title,
    authors: fits ? authors : shortenAuthors(authors),
    isbn13: isbn.isbn13,
    publishedYear: year.publishedYear,
    publisher,
    notes: notes.filter((note) => note !== undefined),
  };
};

/**
 * Tells rows apart by what they say of the book, wherever they stand in the file. Counts that change from one export to
 * the next, such as ratings, are no part of it.
 */
export const rowDigest = (cell: Cells): string => {
  const said = BOOK_COLUMNS.map((column) => cell(column).trim());
  return createHash('sha256').update(JSON.stringify(said)).digest('base64url').slice(0, 22);
};
