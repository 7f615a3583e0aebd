// Judged queries: what is typed, and which copies answer it. Made by rule from the shop's own listings, so that nothing
// of a catalogue is copied here; what people really mistype is written down by hand.

import { LOOKED_AT, NOT_LOOKED_AT } from './by-hand.ts';
import { byName, bySound, bySpace, slip, twoSlips } from './mangled.ts';

/** What is known of a copy on the shelf. */
export interface Book {
  readonly title: string;
  readonly authors: string;
  readonly isbn13: string;
}

export type Kind =
  | 'exact title'
  | 'title without series'
  | 'title without subtitle'
  | 'author'
  | 'title and author'
  | 'ISBN'
  | 'partial'
  | 'accents'
  | Misspelt;

type Misspelt = `misspelt ${'by rule' | 'twice' | 'by sound' | 'in spaces' | 'in names' | 'by hand'}, ${Half}`;

/** Whether it was looked at while corrections were tuned. */
export type Half = 'looked at' | 'not looked at';

/** Any seed: it says which authors were looked at. */
const SPLIT_SEED = 49;

/** The half of the catalogue that a book belongs to: all books of an author to one. */
const halfOf = (book: Book): Half => {
  let hash = SPLIT_SEED;
  for (const letter of plain(firstAuthor(book))) hash = (Math.imul(hash, 31) + (letter.codePointAt(0) ?? 0)) | 0;
  return randomFrom(hash)() < 0.5 ? 'looked at' : 'not looked at';
};

export interface Judged {
  readonly kind: Kind;
  readonly query: string;
  readonly answers: (book: Book) => boolean;
}

/** A small generator of its own (mulberry32), so that every run judges the same queries. */
const randomFrom = (seed: number): (() => number) => {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
};

export const plain = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/['’]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

const firstAuthor = (book: Book): string => book.authors.split(', ')[0] ?? '';
const withoutSeries = (title: string): string => title.replace(/\s*\([^)]*#[^)]*\)\s*$/, '');
const withoutSubtitle = (title: string): string => withoutSeries(title).split(': ')[0] ?? '';

const sameTitle = (query: string) => (book: Book) => plain(book.title) === plain(query);
const titleWithout = (query: string) => (book: Book) =>
  [book.title, withoutSeries(book.title), withoutSubtitle(book.title)].some((title) => plain(title) === plain(query));
const hasWords = (query: string) => {
  const words = plain(query).split(' ');
  return (book: Book) => {
    const known = new Set(plain(`${book.title} ${book.authors}`).split(' '));
    return words.every((word) => known.has(word));
  };
};
const byAuthor = (author: string) => (book: Book) =>
  book.authors.split(', ').some((name) => plain(name) === plain(author));

const isbn10Of = (isbn13: string): string => {
  const nine = isbn13.slice(3, 12);
  const sum = [...nine].reduce((total, digit, place) => total + Number(digit) * (10 - place), 0);
  const check = (11 - (sum % 11)) % 11;
  return `${nine}${check === 10 ? 'X' : check}`;
};

const hyphened = (isbn13: string): string =>
  `${isbn13.slice(0, 3)}-${isbn13[3]}-${isbn13.slice(4, 7)}-${isbn13.slice(7, 12)}-${isbn13.slice(12)}`;

export const HALVES = ['looked at', 'not looked at'] as const satisfies readonly Half[];
const BY_HAND = [
  ['looked at', LOOKED_AT],
  ['not looked at', NOT_LOOKED_AT],
] as const;
const RULES = [
  ['by rule', slip],
  ['twice', twoSlips],
  ['by sound', bySound],
  ['in spaces', bySpace],
  ['in names', byName],
] as const;

/** At most `count` books, spread over the whole shelf. */
const spread = <T>(all: readonly T[], count: number, random: () => number): T[] => {
  const pool = [...all];
  const chosen: T[] = [];
  while (chosen.length < count && pool.length > 0) chosen.push(...pool.splice(Math.floor(random() * pool.length), 1));
  return chosen;
};

/**
 * Queries of every kind about the books of a shelf, the same for the same shelf; `each` of a kind where there are so
 * many.
 */
export const judgedQueries = (shelf: readonly Book[], each: number): Judged[] => {
  const random = randomFrom(2_026);
  const some = (kind: (book: Book) => boolean): Book[] => spread(shelf.filter(kind), each, random);
  const judged: Judged[] = [];
  const add = (kind: Kind, query: string, answers: Judged['answers']): void => {
    if (plain(query).length > 1) judged.push({ kind, query, answers });
  };
  const addMisspelt = (books: readonly Book[], half: Half): void => {
    for (const [kind, mangle] of RULES)
      for (const book of spread(books, each * 2, random)) {
        const author = plain(firstAuthor(book));
        const title = plain(withoutSubtitle(book.title));
        const both = `${author.split(' ').at(-1)} ${title}`;
        const meant = kind === 'in names' ? author : ([title, author, both][Math.floor(random() * 3)] ?? title);
        const query = mangle(meant, random);
        if (query !== undefined) add(`misspelt ${kind}, ${half}`, query, hasWords(meant));
      }
  };
  const isLatin = (book: Book): boolean => /^[\p{Script=Latin}\p{N}\p{P}\p{Zs}\p{S}]+$/u.test(book.title);
  for (const { title } of some(() => true)) add('exact title', title, sameTitle(title));
  for (const { title } of some(({ title }) => withoutSeries(title) !== title)) {
    add('title without series', withoutSeries(title), titleWithout(withoutSeries(title)));
  }
  for (const { title } of some(({ title }) => withoutSubtitle(title) !== withoutSeries(title))) {
    add('title without subtitle', withoutSubtitle(title), titleWithout(withoutSubtitle(title)));
  }
  for (const book of some(() => true)) add('author', firstAuthor(book), byAuthor(firstAuthor(book)));
  for (const book of some(() => true)) {
    const lastName = plain(firstAuthor(book)).split(' ').at(-1) ?? '';
    const query = `${lastName} ${withoutSubtitle(book.title)}`;
    add('title and author', query, hasWords(query));
  }
  for (const [place, { isbn13 }] of some((book) => book.isbn13 !== '').entries()) {
    const forms = [isbn13, hyphened(isbn13), ...(isbn13.startsWith('978') ? [isbn10Of(isbn13)] : [])];
    add('ISBN', forms[place % forms.length] ?? isbn13, (book) => book.isbn13 === isbn13);
  }
  for (const { title } of some((book) => plain(withoutSubtitle(book.title)).split(' ').length >= 4)) {
    const words = plain(withoutSubtitle(title)).split(' ');
    const query = words.filter((_, place) => place % 2 === 1).join(' ');
    add('partial', query, hasWords(query));
  }
  for (const { title } of some((book) => isLatin(book) && /\p{M}/u.test(withoutSeries(book.title).normalize('NFD')))) {
    const query = withoutSeries(title).normalize('NFD').replace(/\p{M}/gu, '');
    add('accents', query, titleWithout(query));
  }
  for (const half of HALVES)
    addMisspelt(
      shelf.filter((book) => isLatin(book) && halfOf(book) === half),
      half,
    );
  for (const [half, typed] of BY_HAND)
    for (const [query, meant] of typed)
      if (shelf.some(hasWords(meant))) add(`misspelt by hand, ${half}`, query, hasWords(meant));
  return judged;
};
