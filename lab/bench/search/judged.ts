// Judged queries: what is typed, and which copies answer it. Made by rule from the shop's own listings, so that nothing
// of a catalogue is copied here; what people really mistype is written down by hand.

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
  | 'misspelt by rule'
  | 'misspelt by hand';

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

/**
 * One slip of the finger inside a word of five letters or more: a letter left out, doubled, swapped with the next, or
 * another.
 */
const misspelt = (text: string, random: () => number): string | undefined => {
  const words = text.split(' ');
  const long = [...words.keys()].filter((place) => (words[place]?.length ?? 0) >= 5);
  const place = long[Math.floor(random() * long.length)];
  const word = place === undefined ? undefined : words[place];
  if (place === undefined || word === undefined) return undefined;
  const at = 1 + Math.floor(random() * (word.length - 2));
  const letter = word[at] ?? '';
  const other = String.fromCharCode(97 + Math.floor(random() * 26));
  const slips = [
    word.slice(0, at) + word.slice(at + 1),
    word.slice(0, at) + letter + word.slice(at),
    word.slice(0, at) + (word[at + 1] ?? '') + letter + word.slice(at + 2),
    word.slice(0, at) + other + word.slice(at + 1),
  ];
  const slipped = slips[Math.floor(random() * slips.length)] ?? word;
  return slipped === word ? undefined : words.with(place, slipped).join(' ');
};

const isbn10Of = (isbn13: string): string => {
  const nine = isbn13.slice(3, 12);
  const sum = [...nine].reduce((total, digit, place) => total + Number(digit) * (10 - place), 0);
  const check = (11 - (sum % 11)) % 11;
  return `${nine}${check === 10 ? 'X' : check}`;
};

const hyphened = (isbn13: string): string =>
  `${isbn13.slice(0, 3)}-${isbn13[3]}-${isbn13.slice(4, 7)}-${isbn13.slice(7, 12)}-${isbn13.slice(12)}`;

/** What people type, and what they mean; asked only where the shelf has such a book. */
const BY_HAND: readonly (readonly [typed: string, meant: string])[] = [
  ['tolkein', 'tolkien'],
  ['hary poter', 'harry potter'],
  ['harrypotter', 'harry potter'],
  ['dostoyevski', 'dostoyevsky'],
  ['dostoevsky crime', 'dostoyevsky crime'],
  ['nietsche', 'nietzsche'],
  ['hemmingway', 'hemingway'],
  ['agatha cristie', 'agatha christie'],
  ['steven king', 'stephen king'],
  ['jane austin', 'jane austen'],
  ['pride and predjudice', 'pride and prejudice'],
  ['wuthering hights', 'wuthering heights'],
  ['to kill a mocking bird', 'to kill a mockingbird'],
  ['catcher in the rhye', 'catcher in the rye'],
  ['great gatsbey', 'great gatsby'],
  ['brave new wrold', 'brave new world'],
  ['farenheit 451', 'fahrenheit 451'],
  ['slaughterhouse fiv', 'slaughterhouse five'],
  ['hitchikers guide', 'hitchhikers guide'],
  ['lord of the flys', 'lord of the flies'],
  ['anna kerenina', 'anna karenina'],
  ['frankinstein', 'frankenstein'],
  ['alchemyst', 'alchemist'],
  ['kite runer', 'kite runner'],
  ['da vinci cod', 'da vinci code'],
  ['the hobit', 'the hobbit'],
  ['silmarilion', 'silmarillion'],
  ['murakmi', 'murakami'],
  ['gabriel garcia marques', 'gabriel garcia marquez'],
  ['one hundered years of solitude', 'one hundred years of solitude'],
  ['les miserable', 'les miserables'],
  ['count of monte christo', 'count of monte cristo'],
  ['moby dik', 'moby dick'],
  ['catch22', 'catch 22'],
  ['huckelberry finn', 'huckleberry finn'],
  ['oliver twsit', 'oliver twist'],
  ['charlottes webb', 'charlottes web'],
  ['a wrinkel in time', 'a wrinkle in time'],
  ['enders gaem', 'enders game'],
  ['game of throns', 'game of thrones'],
  ['hunger gams', 'hunger games'],
  ['twilght', 'twilight'],
  ['memoirs of a giesha', 'memoirs of a geisha'],
  ['interveiw with the vampire', 'interview with the vampire'],
  ['neuromancr', 'neuromancer'],
  ['asimov foundaton', 'asimov foundation'],
  ['ursula leguin', 'ursula le guin'],
  ['kurt vonnegutt', 'kurt vonnegut'],
  ['margret atwood', 'margaret atwood'],
  ['handmaids tail', 'handmaids tale'],
];

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
  for (const book of spread(shelf.filter(isLatin), each * 2, random)) {
    const meant = random() < 0.5 ? plain(withoutSubtitle(book.title)) : plain(firstAuthor(book));
    const query = misspelt(meant, random);
    if (query !== undefined) add('misspelt by rule', query, hasWords(meant));
  }
  for (const [typed, meant] of BY_HAND) {
    if (shelf.some(hasWords(meant))) add('misspelt by hand', typed, hasWords(meant));
  }
  return judged;
};
