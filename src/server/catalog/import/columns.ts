/**
 * What a row may say of its book. Together they are the key by which a repeated run knows a copy (`rowDigest`): never
 * change them.
 */
export const BOOK_COLUMNS = [
  'isbn',
  'isbn13',
  'authors',
  'original_publication_year',
  'title',
  'original_title',
  'language_code',
] as const;

/** What it may say of the copy. */
const COPY_COLUMNS = [
  'publisher',
  'price',
  'currency',
  'original_price',
  'years_of_use',
  'condition',
  'details',
  'image_url',
  'location',
  'phone',
  'category',
  'quantity',
] as const;

/** A file of refused rows begins with these. */
export const REFUSED_COLUMNS = ['line', 'reason', 'copy'] as const;

export type Column = (typeof BOOK_COLUMNS)[number] | (typeof COPY_COLUMNS)[number];

/** The usual names of each column beside its own, in English and German, as `plain` writes them. */
const OTHER_NAMES: Record<Column, readonly string[]> = {
  isbn: ['isbn10', 'isbn 10', 'isbn number', 'isbn nummer', 'isbn nr'],
  isbn13: ['isbn 13', 'ean', 'ean13', 'ean 13', 'gtin'],
  authors: ['author', 'author s', 'autor', 'autoren', 'autor in', 'autorin', 'verfasser'],
  original_publication_year: [
    'year',
    'published',
    'published year',
    'publication year',
    'year published',
    'erscheinungsjahr',
    'jahr',
  ],
  title: ['book title', 'book', 'titel', 'buchtitel'],
  original_title: ['originaltitel'],
  language_code: [],
  publisher: ['verlag'],
  price: ['resale price', 'sale price', 'selling price', 'asking price', 'our price', 'preis', 'verkaufspreis', 'vk'],
  currency: ['währung', 'waehrung'],
  original_price: ['list price', 'new price', 'rrp', 'msrp', 'neupreis', 'originalpreis', 'ladenpreis', 'listenpreis'],
  years_of_use: ['nutzungsjahre', 'jahre in gebrauch'],
  condition: ['book condition', 'grade', 'zustand', 'erhaltung', 'erhaltungszustand'],
  details: [
    'description',
    'notes',
    'note',
    'comment',
    'comments',
    'condition notes',
    'beschreibung',
    'bemerkung',
    'bemerkungen',
    'anmerkung',
    'anmerkungen',
    'zustandsbeschreibung',
  ],
  image_url: ['image', 'picture', 'picture url', 'photo', 'photo url', 'bild', 'bild url', 'foto'],
  location: ['place', 'city', 'ort', 'standort', 'stadt'],
  phone: ['telephone', 'phone number', 'tel', 'telefon', 'telefonnummer', 'mobile', 'handy'],
  category: ['category id', 'category name', 'genre', 'subject', 'kategorie', 'rubrik', 'sachgebiet'],
  quantity: ['qty', 'stock', 'copies', 'menge', 'anzahl', 'bestand'],
};

/**
 * A name without case and punctuation. That prices are in dollars says what is known; another currency makes it another
 * column.
 */
const plain = (name: string): string =>
  name
    .normalize('NFC')
    .toLowerCase()
    .replace(/\(?\b(?:in )?(?:us-?dollars?|us ?\$|usd)(?![\p{L}])\)?|\(?\$\)?/gu, ' ')
    .replace(/[\s_\-./()]+/g, ' ')
    .trim();

const COLUMN_OF = new Map<string, Column>(
  [...BOOK_COLUMNS, ...COPY_COLUMNS].flatMap((column) =>
    [plain(column), ...OTHER_NAMES[column]].map((name) => [name, column] as const),
  ),
);

/** Where each column stands in a header. */
export interface Columns {
  readonly places: ReadonlyMap<Column, number>;
  /** Names of the header that are not read, as they stand there. */
  readonly ignored: readonly string[];
  /** Whether this is a file of refused rows, whose first three columns the import itself wrote. */
  readonly isRefused: boolean;
}

/** Finds the columns of a header, of two with one meaning the first. */
export const columnsOf = (header: readonly string[]): Columns => {
  const isRefused = REFUSED_COLUMNS.every((name, place) => header[place] === name);
  const places = new Map<Column, number>();
  const ignored: string[] = [];
  for (const [place, name] of header.entries()) {
    if (isRefused && place < REFUSED_COLUMNS.length) continue;
    const column = COLUMN_OF.get(plain(name));
    if (column !== undefined && !places.has(column)) places.set(column, place);
    else if (name !== '') ignored.push(name);
  }
  return { places, ignored, isRefused };
};
