import { normaliseIsbn } from '#contract/catalog/isbn.ts';
import { SEARCH_TEXT_MAX } from '#contract/catalog/search.ts';

/**
 * A search as the database compares it: lower case, no accents, no punctuation. Empty when nothing to search for was
 * typed.
 */
export interface Wording {
  readonly key: string;
  readonly words: readonly string[];
  /** The ISBN-13, when an ISBN was typed. */
  readonly isbn13: string | undefined;
  /** The last word is no beginning of one. */
  readonly isWhole?: boolean;
}

/** More words than any title has cost more than they find. */
const MOST_WORDS = 16;

/** A number such as 9e9, which the database parts from letters that follow. */
const EXPONENT = /\de\d/i;

/**
 * Whether `asciiKey` does for this text what the function search_text of the database does for any, and its words are
 * what stands between the spaces.
 */
// oxlint-disable-next-line no-control-regex -- all of ASCII, the control characters too
export const isAscii = (text: string): boolean => /^[\x00-\x7f]*$/.test(text) && !EXPONENT.test(text);

/** What search_text (db/migrations/0002-catalog.sql) makes of a text without accents, so that it need not be asked. */
export const asciiKey = (text: string): string =>
  text
    .toLowerCase()
    .replace(/['`]/g, '')
    .replace(/\b([a-z])\.\s?(?=[a-z]\b)/g, '$1')
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();

/** What was typed as the database compares it, and its words as the database parts them. */
export interface TypedKey {
  readonly key: string;
  readonly words: readonly string[];
}

export const keyOfAscii = (text: string): TypedKey => {
  const key = asciiKey(text);
  return { key, words: key.split(' ') };
};

/** The wording of what was `typed`; one letter may have become several, so it is cut once more. */
export const wordingOf = ({ key, words }: TypedKey, typed = key): Wording => ({
  key: key.slice(0, SEARCH_TEXT_MAX).trim(),
  words: [...new Set(words.map((word) => word.slice(0, SEARCH_TEXT_MAX)))]
    .filter((word) => word !== '')
    .slice(0, MOST_WORDS),
  isbn13: normaliseIsbn(typed),
});

/** The wording of words that are known as they are; nothing is parted anew. */
export const wordingOfWords = (words: readonly string[], asTyped?: 'whole'): Wording => ({
  key: words.join(' '),
  words: [...new Set(words)],
  isbn13: undefined,
  ...(asTyped === 'whole' && { isWhole: true }),
});

/** All of the words, as a tsquery; they hold letters and digits only. */
export const allOf = (words: readonly string[]): string => words.map((word) => `'${word}'`).join(' & ');

/** All of the words, the last one as a beginning. */
export const allBeginningWith = (words: readonly string[]): string => `${allOf(words)}:*`;

/** One letter is no half-typed word, and nearly every copy has a word that begins so. */
const ONE_LETTER = /^[a-z0-9]$/;

/** All of the words, the last one as a beginning where it may be half-typed: what a search finds. */
export const foundBy = ({ words, isWhole = false }: Wording): string =>
  isWhole || ONE_LETTER.test(words.at(-1) ?? '') ? allOf(words) : allBeginningWith(words);
