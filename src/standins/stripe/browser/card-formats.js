// How card details look while they are typed.
import { brandOf, longestNumber } from './card-rules.js';

/** @param {string} text */
export function digitsOf(text) {
  return text.replace(/\D/g, '');
}

/**
 * Groups a number as it is printed on its card: 4-6-5 on American Express, 4-6-4 on short Diners cards, else by fours.
 * @param {string} text
 */
export function formatNumber(text) {
  const all = digitsOf(text);
  const digits = all.slice(0, longestNumber(all));
  const length = longestNumber(all);
  const groups = brandOf(all).brand === 'amex' || length === 14 ? [4, 6, 5] : [4, 4, 4, 4, 3];
  const parts = [];
  let start = 0;
  for (const size of groups) {
    if (start < digits.length) parts.push(digits.slice(start, start + size));
    start += size;
  }
  return parts.join(' ');
}

/**
 * `MM / YY`. A month from 2 to 9 gets its zero, `1/` too, and a year of four digits (browsers fill it in) loses its
 * century.
 * @param {string} text
 * @param {boolean} deleting while deleting, the slash must not come back at once
 */
export function formatExpiry(text, deleting) {
  let digits = digitsOf(text);
  const [left = '', right] = text.split('/').map(digitsOf);
  if (right !== undefined && left !== '') {
    const year = right.length > 2 && right.startsWith('20') ? right.slice(2) : right;
    digits = (left.length === 1 ? `0${left}` : left) + year;
  } else if (/^[2-9]/.test(digits) || /^1[3-9]/.test(digits)) {
    digits = `0${digits}`;
  }
  const month = digits.slice(0, 2);
  const year = digits.slice(2, 4);
  if (year !== '') return `${month} / ${year}`;
  return month.length === 2 && !deleting ? `${month} / ` : month;
}

/**
 * Puts a formatted text into an input and keeps the caret behind the digit it was behind.
 * @param {HTMLInputElement} input
 * @param {string} formatted
 */
export function showFormatted(input, formatted) {
  const raw = input.value;
  const caret = input.selectionStart ?? raw.length;
  if (raw === formatted) return;
  input.value = formatted;
  if (caret >= raw.length) {
    input.setSelectionRange(formatted.length, formatted.length);
    return;
  }
  const digitsBefore = digitsOf(raw.slice(0, caret)).length;
  let position = 0;
  for (let seen = 0; seen < digitsBefore && position < formatted.length; position += 1) {
    if (/\d/.test(formatted[position] ?? '')) seen += 1;
  }
  input.setSelectionRange(position, position);
}
