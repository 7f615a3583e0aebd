import { pipeline } from 'node:stream';
import { parse, type CsvError } from 'csv-parse';
import type { StockCells, StockField } from '#contract/stock/fields.ts';
import { MAX_ROW_LENGTH, type ReadRow } from './rows.ts';

/** How a file with columns is written. */
export interface Delimited {
  readonly delimiter: string;
  /** What each column is; `''` is not read. */
  readonly columns: readonly (StockField | '')[];
  readonly hasHeader: boolean;
  /** Cells may stand in quotation marks; in files with tabs a single one means inches. */
  readonly isQuoted: boolean;
}

/** A quote that is never closed makes one row of all that follows: then reading ends. */
const MOST_BYTES = 8_000_000;

/** Excel keeps a number as it is written by making a formula of it: ="9780141439587" */
const cellText = (text: string): string => /^\s*="(.*)"\s*$/s.exec(text)?.[1] ?? text;

const endOf = ({ code }: CsvError): string =>
  code === 'CSV_QUOTE_NOT_CLOSED' || code === 'CSV_MAX_RECORD_SIZE'
    ? 'A quotation mark is opened here and never closed: the rest of the file was not read'
    : 'The file cannot be read from here on';

interface Record {
  readonly info: { readonly lines: number };
  readonly record: string[];
}

/** The records of a text, with their first lines; one that cannot be read ends them. */
async function* recordsOf(
  text: AsyncIterable<string>,
  { delimiter, isQuoted }: Pick<Delimited, 'delimiter' | 'isQuoted'>,
): AsyncGenerator<{ line: number; record: string[] } | { line: number; problem: string }> {
  // Kept and not thrown: what was read before it must not be lost.
  const ends: CsvError[] = [];
  const parser = parse({
    delimiter,
    info: true,
    quote: isQuoted ? '"' : null,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: MOST_BYTES,
    record_delimiter: ['\r\n', '\n', '\r'],
    skip_records_with_error: true,
    on_skip: (error) => {
      if (error !== undefined) ends.push(error);
    },
  });
  // Its failures arrive through the parser, which is read below.
  pipeline(text, parser, () => {});
  let last = 0;
  for await (const { info, record } of parser as AsyncIterable<Record>) {
    yield { line: last + 1, record };
    last = info.lines;
  }
  const [end] = ends;
  if (end !== undefined) yield { line: last + 1, problem: endOf(end) };
}

/** The first records of a text, as they stand there. */
export const firstRecords = async (
  text: string,
  format: Pick<Delimited, 'delimiter' | 'isQuoted'>,
  count: number,
): Promise<string[][]> => {
  const records: string[][] = [];
  const once = async function* (): AsyncGenerator<string> {
    yield text;
  };
  for await (const one of recordsOf(once(), format)) {
    if ('record' in one) records.push(one.record.map((cell) => cellText(cell).trim()));
    if (records.length >= count) break;
  }
  return records;
};

const cellsOf = (columns: Delimited['columns'], record: readonly string[]): StockCells => {
  const cells: StockCells = {};
  for (const [place, field] of columns.entries()) {
    const text = cellText(record[place] ?? '').trim();
    // An ISBN-10 and an ISBN-13 stand in two columns: the one that can be read is taken.
    if (field !== '' && text !== '') cells[field] = cells[field] === undefined ? text : `${cells[field]}, ${text}`;
  }
  return cells;
};

const problemOf = (record: readonly string[], columns: Delimited['columns'], delimiter: string): string | undefined => {
  if (record.reduce((sum, cell) => sum + cell.length, 0) > MAX_ROW_LENGTH)
    return 'It is longer than a million characters';
  // Cells at the end that hold nothing are often left out.
  if (record.length > columns.length && record.slice(columns.length).some((cell) => cell.trim() !== ''))
    return `It has ${record.length} cells, and the file has ${columns.length} columns`;
  if (delimiter === '\t' && record.length < columns.length - 1 && record.length < 3 && columns.length > 4)
    return `It has ${record.length} cells, and the file has ${columns.length} columns: a line break stands in one of them`;
  return undefined;
};

/** The rows of a file with columns. */
export async function* readDelimited(
  text: AsyncIterable<string>,
  { columns, hasHeader, ...format }: Delimited,
): AsyncGenerator<ReadRow> {
  let isHeader = hasHeader;
  for await (const one of recordsOf(text, format)) {
    if ('problem' in one) {
      yield { line: one.line, cells: {}, problem: one.problem, isEnd: true };
      return;
    }
    const [first = ''] = one.record;
    if (isHeader) {
      // What Excel says of its own delimiter stands before the header.
      if (!/^"?sep=/i.test(first)) isHeader = false;
      continue;
    }
    if (one.record.every((cell) => cell.trim() === '')) continue;
    const problem = problemOf(one.record, columns, format.delimiter);
    yield { line: one.line, cells: cellsOf(columns, one.record), problem };
  }
}
