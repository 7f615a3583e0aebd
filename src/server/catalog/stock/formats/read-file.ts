import type { StockCells } from '#contract/stock/fields.ts';
import { STOCK_FIELDS, type StockField } from '#contract/stock/fields.ts';
import type { StockChoices, StockSurvey } from '#contract/stock/stock-files.ts';
import { readDelimited } from './delimited.ts';
import { encodingOf, textOf, type Encoding, type ReadBytes } from './encoding.ts';
import { DELIMITERS, guessOf, type Guess } from './guess.ts';
import { readIsbnList } from './isbn-list.ts';
import { markOf, noSigns, notePrice } from './prices.ts';
import type { ReadRow } from './rows.ts';
import { readUiee } from './uiee.ts';
import { meaningOf } from './words.ts';

/** Enough for a header and a screen of rows. */
const HEAD_LENGTH = 64_000;
const SHOWN_ROWS = 5;
const MOST_STATUSES = 30;
/** How much of a cell is shown before anything is written. */
const SHOWN_CELL = 120;

const headOf = async (read: ReadBytes, encoding: Encoding): Promise<{ head: string; isWhole: boolean }> => {
  let head = '';
  for await (const text of textOf(read, encoding)) {
    head += text;
    if (head.length > HEAD_LENGTH) return { head: head.slice(0, HEAD_LENGTH), isWhole: false };
  }
  return { head, isWhole: true };
};

const isField = (name: string): name is StockField => Object.hasOwn(STOCK_FIELDS, name);

/** What columns are said to be; what is no field is not read. */
export const fieldsNamed = (names: readonly string[]): (StockField | '')[] =>
  names.map((name) => (isField(name) ? name : ''));

/** A file as it is to be read: as it seems, but for what its seller chose. */
export interface OpenFile extends Guess {
  readonly encoding: Encoding;
}

/** Finds out how a file is written; a sentence where it cannot be read. */
export const openFile = async (
  read: ReadBytes,
  choices: StockChoices,
): Promise<OpenFile | { readonly problem: string }> => {
  const found = await encodingOf(read);
  if ('problem' in found) return found;
  const encoding = choices.encoding ?? found.encoding;
  const { head, isWhole } = await headOf(read, encoding);
  if (head.trim() === '') return { problem: 'There is nothing in this file' };
  const guess = await guessOf(head, isWhole, choices);
  const chosen = choices.columns;
  const columns = chosen === undefined ? guess.columns : fieldsNamed(chosen);
  return { ...guess, columns, encoding };
};

/** The rows of a file. */
export const rowsOf = (read: ReadBytes, file: OpenFile): AsyncGenerator<ReadRow> => {
  const text = textOf(read, file.encoding);
  if (file.format === 'uiee') return readUiee(text);
  return file.format === 'isbn-list' ? readIsbnList(text) : readDelimited(text, file);
};

const shortened = (cells: StockCells): Record<string, string> =>
  Object.fromEntries(Object.entries(cells).map(([name, text]) => [name, text.slice(0, SHOWN_CELL)]));

/** Looks at rows as they pass, for what has to be decided for all of them. */
export const createSurveyor = (file: OpenFile) => {
  const first: Record<string, string>[] = [];
  const letters: Record<string, string>[] = [];
  const statuses = new Map<string, number>();
  const signs = noSigns();
  return {
    note: ({ cells }: ReadRow): void => {
      if (first.length < SHOWN_ROWS) first.push(shortened(cells));
      if (letters.length < SHOWN_ROWS && /[\u0080-\uffff]/.test(Object.values(cells).join('')))
        letters.push(shortened(cells));
      const { status, price } = cells;
      if (status !== undefined && (statuses.has(status) || statuses.size < MOST_STATUSES))
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (price !== undefined) notePrice(signs, price);
    },
    survey: (choices: StockChoices): StockSurvey => ({
      format: file.format,
      encoding: file.encoding,
      delimiter: DELIMITERS.find((one) => one === file.delimiter) ?? ',',
      header: [...file.header].slice(0, 200).map((name) => name.slice(0, SHOWN_CELL)),
      columns: [...file.columns],
      first,
      letters,
      statuses: [...statuses].map(([value, rows]) => ({
        value: value.slice(0, 100),
        rows,
        meaning: choices.statuses?.[value] ?? meaningOf(value) ?? null,
      })),
      decimal: markOf(signs) ?? null,
    }),
  };
};
