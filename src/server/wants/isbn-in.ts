import { readIsbn } from '#contract/catalog/isbn.ts';

/** The ISBN that was typed, `""` for none; undefined for what is none. */
export const isbnIn = (text: string): string | undefined => {
  if (text.trim() === '') return '';
  const read = readIsbn(text);
  return read !== undefined && 'isbn13' in read ? read.isbn13 : undefined;
};
