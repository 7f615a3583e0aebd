const digitsOf = (text: string): string => text.replace(/[\s-]/g, '').toUpperCase();

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

/** Whether `text` has the form of an ISBN; its check digit may still be wrong. */
export const looksLikeIsbn = (text: string): boolean => /^(97[89]\d{10}|\d{9}[\dX])$/.test(digitsOf(text));

/** The ISBN-13 of an ISBN-10 or ISBN-13 with or without hyphens; undefined when length or check digit is wrong. */
export const normaliseIsbn = (text: string): string | undefined => {
  const isbn = digitsOf(text);
  if (/^97[89]\d{10}$/.test(isbn)) return isbn13CheckDigit(isbn.slice(0, 12)) === isbn[12] ? isbn : undefined;
  if (!/^\d{9}[\dX]$/.test(isbn) || isbn10CheckDigit(isbn.slice(0, 9)) !== isbn[9]) return undefined;
  const twelve = `978${isbn.slice(0, 9)}`;
  return `${twelve}${isbn13CheckDigit(twelve)}`;
};
