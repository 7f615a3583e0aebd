import { STOCK_FIELD_NAMES, type StockField } from '#contract/stock/fields.ts';

/**
 * The names that files have for each field, as `plain` writes them: of AbeBooks, Biblio, BookRouter, HomeBase, of
 * readers' exports (Goodreads, LibraryThing), in English and German.
 */
const NAMES: Record<StockField, readonly string[]> = {
  sku: [
    'listingid',
    'bookid',
    'book id',
    'number',
    'item',
    'item number',
    'itemnumber',
    'stock number',
    'seller sku',
    'ubid',
    'artikelnummer',
    'bestellnummer',
    'nr',
  ],
  title: ['book title', 'book', 'name', 'titel', 'buchtitel', 'tnam'],
  author: ['authors', 'author s', 'primary author', 'anam', 'autor', 'autoren', 'verfasser'],
  isbn: ['isbn13', 'isbn 13', 'isbn10', 'isbn 10', 'isbns', 'ean', 'ean13', 'gtin', 'isbn nummer'],
  price: [
    'resale price',
    'sale price',
    'selling price',
    'asking price',
    'our price',
    'pric',
    'preis',
    'verkaufspreis',
    'vk',
  ],
  currency: ['währung', 'waehrung', 'price currency'],
  quantity: ['qty', 'stock', 'copies', 'owned copies', 'able', 'menge', 'anzahl', 'bestand'],
  status: ['stat', 'availability', 'tran', 'active'],
  description: [
    'desc',
    'details',
    'comments',
    'comment',
    'notes',
    'condition notes',
    'condition description',
    'beschreibung',
    'bemerkung',
    'bemerkungen',
    'anmerkungen',
  ],
  condition: ['bookcondition', 'book condition', 'bndc', 'booc', 'grade', 'zustand', 'erhaltung'],
  jacket: [
    'jacketcondition',
    'jacket condition',
    'jacket cond',
    'dust jacket',
    'dustjacket',
    'dj',
    'jckc',
    'schutzumschlag',
  ],
  binding: ['bindingtext', 'bind', 'format', 'media', 'einband'],
  edition: ['editiontext', 'edition text', 'ednt', 'auflage'],
  printing: ['printingtext', 'printing text', 'druck'],
  signed: ['signedtext', 'signed text', 'sgnt', 'signiert'],
  first: ['first ed', 'first edition', 'erstausgabe'],
  publisher: ['publishername', 'publisher name', 'pbls', 'verlag'],
  year: [
    'yearpublished',
    'year published',
    'date pub',
    'publication year',
    'published year',
    'pbyr',
    'original publication year',
    'erscheinungsjahr',
    'jahr',
  ],
  language: ['languages', 'language code', 'sprache'],
  pages: ['number of pages', 'page count', 'seiten', 'seitenzahl'],
  category: [
    'category id',
    'category name',
    'abecategory',
    'sellercatalog1',
    'catalog1',
    'bcat',
    'genre',
    'subject',
    'subject 1',
    'kategorie',
    'sachgebiet',
  ],
  image: ['imgurl', 'image url', 'image', 'picture url', 'photo', 'photo url', 'bild', 'bild url'],
  location: ['place', 'city', 'ort', 'standort'],
  phone: ['telephone', 'phone number', 'telefon'],
  original_price: ['list price', 'new price', 'rrp', 'msrp', 'neupreis', 'ladenpreis', 'price when new'],
  years_of_use: ['years', 'nutzungsjahre'],
  shelf: ['shelf location', 'bin', 'loca', 'lagerplatz', 'regal', 'shelf private'],
  cost: ['purchase price', 'price paid', 'pprc', 'einkaufspreis', 'ek', 'what you paid private'],
  note: ['private note', 'private notes', 'private comment', 'internal note', 'notiz', 'note private'],
};

/** A name without case, punctuation and currency. */
const plain = (name: string): string =>
  name
    .normalize('NFC')
    .toLowerCase()
    .replace(/\(?\b(?:in )?(?:us-?dollars?|us ?\$|usd)(?![\p{L}])\)?|\(?\$\)?/gu, ' ')
    .replace(/[\s_\-./()#:]+/g, ' ')
    .trim();

const FIELD_OF = new Map<string, StockField>(
  STOCK_FIELD_NAMES.flatMap((field) => [plain(field), ...NAMES[field]].map((name) => [name, field] as const)),
);

/** What each column of a header is, `''` for none; of two with one meaning the first, but of ISBNs each. */
export const fieldsOfHeader = (header: readonly string[]): (StockField | '')[] => {
  const taken = new Set<StockField>();
  return header.map((name) => {
    const field = FIELD_OF.get(plain(name));
    if (field === undefined || (field !== 'isbn' && taken.has(field))) return '';
    taken.add(field);
    return field;
  });
};
