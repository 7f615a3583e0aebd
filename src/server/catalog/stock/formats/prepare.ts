import type { Condition } from '#contract/catalog/catalog.ts';
import { isImageUrl, parsePublishedYear, parseYears } from '#contract/catalog/listing-rules.ts';
import type { PassportDraft } from '#contract/catalog/passport/passport.ts';
import { photoNameIn } from '#contract/catalog/photo-sizes.ts';
import { MAX_TITLE_LENGTH } from '#contract/catalog/title.ts';
import type { StockCells, StatusMeaning } from '#contract/stock/fields.ts';
import { oneLine } from '#contract/text.ts';
import { repairIsbn } from './isbn-repair.ts';
import { priceOf, type DecimalMark } from './prices.ts';
import { conditionOfWord, gradeTextOf, meaningOf, saidIn, withTrueGrade } from './words.ts';

export const MAX_SKU_LENGTH = 40;
export const MAX_QUANTITY = 999;
const LONGEST = { author: 500, publisher: 200, description: 5_000, location: 200, phone: 50 } as const;

/** What is said of all rows of a file. */
export interface RowRules {
  /** Undefined where that has to be said first. */
  readonly decimal: DecimalMark | undefined;
  /** What the words of the status column mean that do not mean the same everywhere. */
  readonly statuses: Readonly<Record<string, StatusMeaning>>;
  /** The id of a category by its id or name, in lower case. */
  readonly categories: ReadonlyMap<string, string>;
}

/** What a row says of a book and its copies; what it does not say is undefined. Prices in cents. */
export interface PreparedRow {
  readonly sku: string;
  /** How many stand on the seller's shelf, for sale or paused. */
  readonly quantity: number;
  /** Whether it is for sale; undefined where the file has no status for it. */
  readonly isPaused: boolean | undefined;
  readonly title: string | undefined;
  readonly authors: string | undefined;
  readonly isbn13: string | undefined;
  readonly publishedYear: number | undefined;
  readonly publisher: string | undefined;
  readonly details: string | undefined;
  readonly resaleCents: number | undefined;
  readonly originalCents: number | undefined;
  readonly yearsOfUse: number | undefined;
  readonly condition: Condition | undefined;
  readonly categoryId: string | undefined;
  readonly location: string | undefined;
  readonly phone: string | undefined;
  readonly imageUrl: string | undefined;
  readonly said: PassportDraft;
  readonly own: OwnFacts;
}

/** What is the seller's alone to see. */
export interface OwnFacts {
  readonly shelf: string | undefined;
  readonly costCents: number | undefined;
  readonly note: string | undefined;
  /** The words of the trade for book and jacket, as the file has them. */
  readonly gradeText: string | undefined;
}

/** Why a row cannot be taken; the message says it to the seller. */
class Refused extends Error {}

const checked = <A>(value: A | string): A => {
  if (typeof value === 'string') throw new Refused(value);
  return value;
};

const lineOf = (text: string | undefined, most: number, what: string): string | undefined => {
  const line = oneLine(text ?? '');
  if (line.length > most) throw new Refused(`Its ${what} is longer than ${most} characters`);
  return line === '' ? undefined : line;
};

/** A number of the seller is text: `007` is not `7`. */
export const skuOf = (cells: StockCells): string => oneLine((cells.sku ?? '').normalize('NFC'));

const quantityOf = (text: string | undefined): number => {
  const said = (text ?? '').trim().replace(/[.,]0+$/, '');
  if (said === '') return 1;
  const count = /^\d{1,6}$/.test(said) ? Number(said) : undefined;
  if (count === undefined || count > MAX_QUANTITY)
    throw new Refused(`Its quantity is ${said}: give a whole number from 0 to ${MAX_QUANTITY}`);
  return count;
};

const statusOf = (text: string | undefined, { statuses }: RowRules): StatusMeaning => {
  const said = (text ?? '').trim();
  if (said === '') return 'sale';
  const meaning = statuses[said] ?? meaningOf(said);
  if (meaning === undefined) throw new Refused(`Its status is ${said}: say above what that means`);
  return meaning;
};

const isbnOf = ({ isbn }: StockCells): string | undefined => {
  if (isbn === undefined) return undefined;
  // What readers' programs put round it, and several in one cell: the first that is one.
  const parts = isbn.replaceAll(/[[\]"=]/g, ' ').split(/[,;|]|\s{2,}/);
  for (const part of parts) {
    const { isbn13 } = repairIsbn(part.replace(/^\s*isbn(-?1[03])?:?\s*/i, ''), part);
    if (isbn13 !== '') return isbn13;
  }
  // A spreadsheet cut its last digits for good.
  if (parts.every((part) => part.trim() === '' || /^\s*\d([.,]\d+)?E\+?\d+\s*$/i.test(part))) return undefined;
  throw new Refused(`Its ISBN ${isbn.trim()} is none: digits are missing or wrong. Mend it, or leave it empty`);
};

const authorsOf = (text: string | undefined): string | undefined => {
  const line = oneLine(text ?? '');
  if (line === '') return undefined;
  if (line.length <= LONGEST.author) return line;
  const last = Math.max(line.lastIndexOf(',', LONGEST.author - 1), line.lastIndexOf(';', LONGEST.author - 1));
  return line.slice(0, last > 0 ? last : LONGEST.author).trim();
};

/** A spreadsheet writes `1813.0`; years before Christ are negative. */
const yearOf = (text = ''): number | undefined => {
  const year = text.trim().replace(/\.0+$/, '');
  return parsePublishedYear(/^-?\d{1,4}$/.test(year) ? year : (/\d{4}/.exec(text)?.[0] ?? ''));
};

const detailsOf = ({ description }: StockCells): string | undefined => {
  const text = (description ?? '').replaceAll(/\r\n?/g, '\n').trim();
  if (text.length > LONGEST.description)
    throw new Refused(`Its description is longer than ${LONGEST.description} characters`);
  return text === '' ? undefined : text;
};

/** An address of the shop's own is a photo that the copy has. */
const imageOf = ({ image }: StockCells): string | undefined =>
  image?.split(/[\s,;|]+/).find((address) => isImageUrl(address) && photoNameIn(address) === undefined);

const checkCurrency = ({ currency }: StockCells): void => {
  if (currency !== undefined && !/^(us-?\s?\$|usd|\$|us dollars?)$/i.test(currency.trim()))
    throw new Refused(`Its currency is ${currency.trim()}: prices here are US dollars`);
};

const conditionOf = ({ condition }: StockCells): Condition | undefined =>
  condition === undefined ? undefined : conditionOfWord(condition);

const categoryOf = ({ category }: StockCells, { categories }: RowRules): string | undefined =>
  category === undefined ? undefined : categories.get(oneLine(category).toLowerCase());

/** What a seller knows the row by: its SKU, or else its ISBN. */
export const rowKey = (cells: StockCells): string => {
  const sku = skuOf(cells);
  if (sku !== '') return sku;
  try {
    return isbnOf(cells) ?? '';
  } catch {
    return '';
  }
};

const prepared = (cells: StockCells, rules: RowRules): PreparedRow => {
  const isbn13 = isbnOf(cells);
  const sku = rowKey(cells);
  if (sku === '') throw new Refused('It has no SKU: give the number by which you know it');
  if (sku.length > MAX_SKU_LENGTH) throw new Refused(`Its SKU is longer than ${MAX_SKU_LENGTH} characters`);
  if (/#(NAME\?|REF!|VALUE!|N\/A)/.test(Object.values(cells).join(' ')))
    throw new Refused('A cell holds an error of a spreadsheet, such as #NAME?');
  checkCurrency(cells);
  const status = statusOf(cells.status, rules);
  const quantity = status === 'gone' ? 0 : quantityOf(cells.quantity);
  // What goes needs no price.
  const price = quantity === 0 ? undefined : checked(priceOf(cells.price, rules.decimal));
  return {
    sku,
    quantity,
    isPaused: cells.status === undefined ? undefined : status === 'pause',
    title: lineOf(cells.title, MAX_TITLE_LENGTH, 'title'),
    authors: authorsOf(cells.author),
    isbn13,
    publishedYear: yearOf(cells.year),
    publisher: lineOf(cells.publisher, LONGEST.publisher, 'publisher'),
    details: detailsOf(cells),
    resaleCents: price,
    originalCents: checked(priceOf(cells.original_price, rules.decimal, 'price when new')),
    yearsOfUse: parseYears((cells.years_of_use ?? '').replace(',', '.')),
    condition: conditionOf(cells),
    categoryId: categoryOf(cells, rules),
    location: lineOf(cells.location, LONGEST.location, 'place'),
    phone: lineOf(cells.phone, LONGEST.phone, 'phone'),
    imageUrl: imageOf(cells),
    said: saidIn(cells),
    own: {
      shelf: cells.shelf?.slice(0, 200),
      costCents: centsOf(priceOf(cells.cost, rules.decimal)),
      note: cells.note?.slice(0, 2_000),
      gradeText: gradeTextOf(cells),
    },
  };
};

/** What was paid is for nobody's eyes but the seller's: an amount that is none is left out. */
const centsOf = (read: number | string | undefined): number | undefined =>
  typeof read === 'number' ? read : undefined;

// oxlint-disable-next-line no-control-regex -- NUL is what is looked for
const NO_TEXT = /\0/;

/** What a row says, or why it is refused, as a sentence. */
export const prepareRow = (cells: StockCells, rules: RowRules): PreparedRow | { readonly refused: string } => {
  try {
    if (NO_TEXT.test(Object.values(cells).join(''))) throw new Refused('It holds a NUL character');
    return prepared(withTrueGrade(cells), rules);
  } catch (error) {
    if (error instanceof Refused) return { refused: error.message };
    throw error;
  }
};
