import { normaliseIsbn } from '#contract/catalog/isbn.ts';

/** What became of a row's ISBN; `''` where none could be had. */
export interface RepairedIsbn {
  readonly isbn13: string;
  readonly how: 'as given' | 'zeros put back' | 'rebuilt' | 'unrecoverable' | 'none';
}

/** A spreadsheet never drops more zeros than this; shorter numbers are no ISBNs, whatever their check digit says. */
const MAX_LOST_ZEROS = 4;
const ISBN10_LENGTH = 10;

/** Spreadsheets also turn numbers into floats: 439023483.0 */
const bare = (text: string): string => text.trim().replace(/\.0+$/, '').replace(/[\s-]/g, '').toUpperCase();

const withZeros = (text: string): string =>
  text.length >= ISBN10_LENGTH - MAX_LOST_ZEROS ? text.padStart(ISBN10_LENGTH, '0') : text;

/**
 * The ISBN-13 of a row from its two ISBN columns. Leading zeros that a spreadsheet dropped are put back when the check
 * digit then agrees. Scientific notation (9.78043902348e+12) has lost the last digits for good, so the number is
 * rebuilt from the ISBN-10 beside it, or left empty.
 */
export const repairIsbn = (isbn10: string, isbn13: string): RepairedIsbn => {
  const given = bare(isbn13);
  // Shorter ones may have lost zeros.
  const long = given.length < ISBN10_LENGTH ? undefined : normaliseIsbn(given);
  if (long !== undefined) return { isbn13: long, how: 'as given' };
  const short = bare(isbn10);
  const rebuilt = normaliseIsbn(withZeros(short));
  if (rebuilt !== undefined) {
    if (short.length < ISBN10_LENGTH) return { isbn13: rebuilt, how: 'zeros put back' };
    return { isbn13: rebuilt, how: isbn13.trim() === '' ? 'as given' : 'rebuilt' };
  }
  return { isbn13: '', how: short === '' && isbn13.trim() === '' ? 'none' : 'unrecoverable' };
};
