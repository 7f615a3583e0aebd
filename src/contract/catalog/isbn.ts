/** What a text says as an ISBN (ISO 2108): the ISBN-13, or in a sentence why it is none. */
export type ReadIsbn =
  | {
      readonly isbn13: string;
      /** The price in cents that a barcode's add-on of five digits says in US dollars. */
      readonly addOnCents?: number;
    }
  | { readonly problem: string };

const FORM = 'An ISBN has 10 digits, or 13 that begin with 978 or 979';
const WRONG_DIGIT = 'The check digit does not fit: one of the digits is wrong';
const LETTERS = 'An ISBN has digits only: the letter O may be a 0, and l or I a 1';
const MUSIC = 'This number is of printed music, not of a book: leave it empty';
const MAGAZINE = 'This number is of a magazine, not of a book: leave it empty';
const REPEATED = 'This number is of no book: it repeats one digit';

/** Dashes of every script, dots, brackets, spaces and what cannot be seen. */
const BETWEEN = /[\s.,:;()\u00b7\u2212\p{Pd}\p{Cf}]/gu;
/** The 13 of `ISBN-13`, or the 10 of `ISBN-10`, where a whole number follows. */
const FORM_NUMBER = /^1[03](?=(?:97[789]\d{10}(?:\d{5}|\d\d)?|\d{8,9}[\dX])$)/;

/** `ISBN` and its kin, dashes, dots and spaces are left out, full-width digits are digits. */
const digitsOf = (text: string): string => {
  const bare = text.normalize('NFKC').toUpperCase().replace(BETWEEN, '');
  const named = /^E?I?SBN/.exec(bare)?.[0];
  return named === undefined ? bare : bare.slice(named.length).replace(FORM_NUMBER, '');
};

/** The check digit of the first 12 digits of an ISBN-13 (ISO 2108). */
export const isbn13CheckDigit = (twelve: string): string => {
  let sum = 0;
  for (let place = 0; place < 12; place += 1) sum += Number(twelve[place]) * (place % 2 === 0 ? 1 : 3);
  return String((10 - (sum % 10)) % 10);
};

const isbn10CheckDigit = (nine: string): string => {
  let sum = 0;
  for (let place = 0; place < 9; place += 1) sum += Number(nine[place]) * (10 - place);
  const check = (11 - (sum % 11)) % 11;
  return check === 10 ? 'X' : String(check);
};

/** Nobody registers 000 000 000: it is typed to get past a field. */
const isRepeated = (nine: string): boolean => /^(\d)\1{8}$/.test(nine);

const readLong = (digits: string): ReadIsbn => {
  if (isbn13CheckDigit(digits.slice(0, 12)) !== digits[12]) return { problem: WRONG_DIGIT };
  if (digits.startsWith('9790')) return { problem: MUSIC };
  return isRepeated(digits.slice(3, 12)) ? { problem: REPEATED } : { isbn13: digits };
};

const readShort = (digits: string): ReadIsbn => {
  const nine = digits.slice(0, 9);
  if (isRepeated(nine)) return { problem: REPEATED };
  if (isbn10CheckDigit(nine) !== digits[9]) return { problem: WRONG_DIGIT };
  return { isbn13: `978${nine}${isbn13CheckDigit(`978${nine}`)}` };
};

/** Of add-ons only those in US dollars say a price: 5, then cents, up to $99.98; 59999 is "$100 or more". */
const addOnCentsOf = (addOn: string): number | undefined =>
  /^5\d{4}$/.test(addOn) && addOn !== '59999' && addOn !== '50000' ? Number(addOn.slice(1)) : undefined;

/**
 * Reads an ISBN of 10 or 13 digits as people and scanners write it: with `ISBN` before it, any dashes, dots and spaces,
 * the 18 digits of a barcode with its price (15 with a short add-on), the 9 of a book of before 1970 whose check digit
 * fits. Undefined where nothing is typed.
 */
export const readIsbn = (text: string): ReadIsbn | undefined => {
  const digits = digitsOf(text);
  if (digits === '') return undefined;
  const [, book, addOn = ''] = /^(97[79]\d{10}|978\d{10})(\d{5}|\d\d)?$/.exec(digits) ?? [];
  if (book !== undefined) {
    if (book.startsWith('977')) return { problem: MAGAZINE };
    const read = readLong(book);
    const addOnCents = addOnCentsOf(addOn);
    return 'isbn13' in read && addOnCents !== undefined ? { ...read, addOnCents } : read;
  }
  if (/^\d{9}[\dX]$/.test(digits)) return readShort(digits);
  if (/^\d{8}[\dX]$/.test(digits) && 'isbn13' in readShort(`0${digits}`)) return readShort(`0${digits}`);
  return { problem: /^(?=.*[OIL])[\dXOIL]{10,13}$/.test(digits) ? LETTERS : FORM };
};

/** Whether `text` has the form of an ISBN; its check digit may still be wrong. */
export const looksLikeIsbn = (text: string): boolean => /^(97[89]\d{10}|\d{9}[\dX])$/.test(digitsOf(text));

/** The ISBN-13 of what `readIsbn` takes; undefined where it is none. */
export const normaliseIsbn = (text: string): string | undefined => {
  const read = readIsbn(text);
  return read !== undefined && 'isbn13' in read ? read.isbn13 : undefined;
};
