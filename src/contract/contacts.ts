import { normaliseIsbn } from './catalog/isbn.ts';

/** A link, with or without its scheme: the endings are those that strangers are led to, and no abbreviations. */
const LINK =
  /\b(?:https?:\/\/|www\.)\S|\b[a-z0-9-]{2,}\.(?:com|net|org|info|biz|shop|store|site|online|co\.uk|de|me|io|ly|gg|xyz|ru)\b/i;
/** An address of mail, also as people spell it who know that it is looked for. */
const MAIL = /[\w.+-]+\s*(?:@|\(at\)|\[at\])\s*[\w-]+\s*(?:\.|\(dot\)|\[dot\]|\sdot\s)\s*[a-z]{2,}/i;
/** The name of somebody elsewhere: `@maya.reads`. */
const HANDLE = /(?:^|[\s(])@[a-z0-9_][a-z0-9_.]{2,}/i;
/** Where people write and pay past a shop. */
const ELSEWHERE =
  /\b(?:whats\s?app|telegram|we\s?chat|viber|snapchat|instagram|facebook|messenger|discord|pay\s?pal|venmo|zelle|cash\s?app|western union|money\s?gram|bitcoin|wire transfer|bank transfer|gift cards?)\b/i;
/** Digits in groups, as a phone number is written. */
const NUMBER = /\+?\(?\d[\d\s().-]{7,}\d/g;

const digitsOf = (text: string): string => text.replace(/\D/g, '');

/** ISBNs and years are numbers that people write about books. */
const isOfBooks = (number: string): boolean =>
  normaliseIsbn(digitsOf(number)) !== undefined || /^\d{4}(?:\s*-\s*\d{4})+$/.test(number.trim());

const hasPhone = (text: string): boolean =>
  (text.match(NUMBER) ?? []).some((number) => {
    const { length } = digitsOf(number);
    return length >= 9 && length <= 15 && !isOfBooks(number);
  });

/**
 * Whether a text holds a link, an address, a phone number or the name of a way to write or pay outside of the shop. A
 * guess, right often enough to have somebody look or think twice, never enough to refuse.
 */
export const leadsOutside = (text: string): boolean =>
  LINK.test(text) || MAIL.test(text) || HANDLE.test(text) || ELSEWHERE.test(text) || hasPhone(text);
