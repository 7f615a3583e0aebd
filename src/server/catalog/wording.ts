import { normaliseIsbn } from '#contract/isbn.ts';

/** A search as the database compares it: lower case, no accents, no punctuation. Empty when nothing to search for was typed. */
export interface Wording {
  readonly key: string;
  readonly words: readonly string[];
  /** The ISBN-13, when an ISBN was typed. */
  readonly isbn13: string | undefined;
}

/** More words than any title has cost more than they find. */
const MOST_WORDS = 16;

/** Whether `asciiKey` does for this text what the function search_text of the database does for any. */
// oxlint-disable-next-line no-control-regex -- all of ASCII, the control characters too
export const isAscii = (text: string): boolean => /^[\x00-\x7f]*$/.test(text);

/** What search_text (db/migrations/0014-search.sql) makes of a text without accents, so that it need not be asked. */
export const asciiKey = (text: string): string =>
  text
    .toLowerCase()
    .replace(/['`]/g, '')
    .replace(/\b([a-z])\.\s?(?=[a-z]\b)/g, '$1')
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();

/** The wording of a key that `asciiKey` or the database made of `typed`. */
export const wordingOf = (key: string, typed = key): Wording => {
  const words = [...new Set(key.split(' '))].filter((word) => word !== '').slice(0, MOST_WORDS);
  return { key, words, isbn13: normaliseIsbn(typed) };
};

/** All of the words, as a tsquery; they hold letters and digits only. */
export const allOf = (words: readonly string[]): string => words.map((word) => `'${word}'`).join(' & ');

/** All of the words, the last one as a beginning. */
export const allBeginningWith = (words: readonly string[]): string => `${allOf(words)}:*`;
