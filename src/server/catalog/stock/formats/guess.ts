import { readIsbn } from '#contract/catalog/isbn.ts';
import type { StockField } from '#contract/stock/fields.ts';
import { firstRecords, type Delimited } from './delimited.ts';
import { fieldsOfHeader } from './header-names.ts';

export type Format = 'uiee' | 'delimited' | 'isbn-list';

/** What a file seems to be. */
export interface Guess extends Delimited {
  readonly format: Format;
  /** The first line of a file with columns, as it stands there. */
  readonly header: readonly string[];
}

export const DELIMITERS = [',', ';', '\t', '|', '~'] as const;

const NO_COLUMNS = { delimiter: ',', columns: [], hasHeader: false, isQuoted: true, header: [] };

/** Tabs are written without quotation marks, unless cells stand in them. */
const quotes = (head: string, delimiter: string): boolean =>
  delimiter !== '\t' || /(^|\t)"[^"\t]*"(\t|\r?$)/m.test(head);

/** How alike the lines are, cut at a delimiter: the number of cells where most lines have the same, else 0. */
const widthBy = (lines: readonly string[], delimiter: string): number => {
  const counts = lines.map((line) => line.replaceAll(/"[^"]*"/g, '').split(delimiter).length);
  const [first = 1] = counts;
  const same = counts.filter((count) => count === first).length;
  return first > 1 && same * 2 >= counts.length ? first : first > 1 && counts.length < 3 ? first : 0;
};

const isIsbn = (text: string): boolean => {
  const read = text === '' ? undefined : readIsbn(text);
  return read !== undefined && 'isbn13' in read;
};

/** Columns without a name, by what is in them. */
const fieldsByContent = (rows: readonly (readonly string[])[]): (StockField | '')[] => {
  const width = Math.max(0, ...rows.map((row) => row.length));
  const taken = new Set<StockField>();
  const most = (place: number, test: (cell: string) => boolean): boolean =>
    rows.filter((row) => test(row[place] ?? '')).length * 3 > rows.length * 2;
  return Array.from({ length: width }, (_, place) => {
    const field: StockField | '' = most(place, isIsbn)
      ? 'isbn'
      : most(place, (cell) => /^[$€£]?\s?\d{1,6}[.,]\d{2}$/.test(cell))
        ? 'price'
        : '';
    if (field === '' || taken.has(field)) return '';
    taken.add(field);
    return field;
  });
};

/** Guesses what a file is by its beginning, but for what was `chosen`. `isWhole`: it is all of the file. */
export const guessOf = async (
  head: string,
  isWhole: boolean,
  chosen: { readonly format?: Format | undefined; readonly delimiter?: string | undefined } = {},
): Promise<Guess> => {
  const { format = undefined } = chosen;
  if (format === 'uiee' || format === 'isbn-list') return { format, ...NO_COLUMNS };
  if (format === undefined && /^(UR|RE)\|/m.test(head) && /^(TI|AA|PR|BN|XB|CO)\|/m.test(head))
    return { format: 'uiee', ...NO_COLUMNS };
  const lines = head
    .split(/\r\n|\n|\r/)
    .filter((line) => line.trim() !== '')
    .slice(0, 40);
  const whole = isWhole ? lines : lines.slice(0, -1);
  const said = /^"?sep=([^\r\n])"?/i.exec(lines[0] ?? '')?.[1];
  const rest = said === undefined ? whole : whole.slice(1);
  const widths = DELIMITERS.map((one) => ({ one, width: widthBy(rest, one) }));
  const best = widths.reduce((a, b) => (b.width > a.width ? b : a));
  const delimiter = chosen.delimiter ?? said ?? best.one;
  const isQuoted = quotes(head, delimiter);
  const records = await firstRecords(head, { delimiter, isQuoted }, 30);
  const [header = [], ...rows] = said === undefined ? records : records.slice(1);
  const named = fieldsOfHeader(header);
  const known = named.filter((field) => field !== '').length;
  const hasHeader = known >= 2 || (known === 1 && !header.some(isIsbn));
  if (format === undefined && !hasHeader && (best.width < 3 || header.length < 3))
    return { format: 'isbn-list', ...NO_COLUMNS };
  if (hasHeader) return { format: 'delimited', delimiter, columns: named, hasHeader, isQuoted, header };
  return {
    format: 'delimited',
    delimiter,
    columns: fieldsByContent([header, ...rows]),
    hasHeader,
    isQuoted,
    header: header.map((_, place) => `Column ${place + 1}`),
  };
};
