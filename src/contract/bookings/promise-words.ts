// What a booking promises, statement by statement.
import {
  passportStatements,
  type PassportStatement,
  type Stated,
} from '#contract/catalog/passport/passport-statements.ts';
import { formatDollars } from '#contract/money/money.ts';
import type { CopyPromise } from './promise.ts';

export type PromisedStatement =
  | 'title'
  | 'author'
  | 'isbn'
  | 'publisher'
  | 'year'
  | 'condition'
  | 'details'
  | 'picture'
  | PassportStatement;

const shortened = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most)}…` : text);

/** Every statement of a promise, in words; the words of the pictures are how many they are. */
export const promisedStatements = (promise: CopyPromise): Stated<PromisedStatement>[] => {
  const { title, authors, isbn13, publisher, published_year, condition, details, picture, photos, passport } = promise;
  const pictures = photos.length === 0 ? (picture === '' ? 0 : 1) : photos.length;
  const all: Stated<PromisedStatement>[] = [
    { name: 'title', label: 'Title', words: title },
    { name: 'author', label: 'Authors', words: authors },
    { name: 'condition', label: 'Condition', words: condition },
    ...(passport === null ? [] : passportStatements(passport)),
    { name: 'isbn', label: 'ISBN', words: isbn13 },
    { name: 'publisher', label: 'Publisher', words: publisher },
    { name: 'year', label: 'Year', words: published_year === null ? '' : String(published_year) },
    { name: 'details', label: 'Details', words: details },
    { name: 'picture', label: 'Pictures', words: pictures === 0 ? '' : String(pictures) },
  ];
  return all.filter(({ words }) => words !== '');
};

/** Letters of the details that a mail repeats; the page of the order has all of them. */
const MOST_DETAILS = 500;

/** A promise in a line, without the title: what a receipt repeats of it. */
export const promisedInLine = (promise: CopyPromise): string =>
  promisedStatements({ ...promise, details: shortened(promise.details, MOST_DETAILS) })
    .filter(({ name }) => name !== 'title')
    .map(({ label, words }) => `${label}: ${words}`)
    .concat(`Price: ${formatDollars(promise.price_cents / 100)}`)
    .join('. ');
