import { parse, CsvError } from 'csv-parse';
import { access, constants, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { columnsOf, REFUSED_COLUMNS, type Column, type Columns } from './columns.ts';
import { CannotImport } from './refusal.ts';
import { encodingOf, textOf, type Encoding } from './source-text.ts';

/** The row's text in a column; `''` where the file has none. */
export type Cells = (column: Column) => string;

/** A row as it stands in the file. */
export interface SourceRow {
  /** Line of the file on which the row ends. */
  readonly line: number;
  /** Its cells, without those that an import wrote before them. */
  readonly raw: readonly string[];
  /** Which of equal rows it was when it was refused; undefined in any other file. */
  readonly copy: number | undefined;
  /** Absent when the row has not as many columns as the header. */
  readonly cell: Cells | undefined;
}

interface Format {
  readonly file: string;
  readonly encoding: Encoding;
  readonly delimiter: string;
  /** Whether the first line is Excel's `sep=;`, and the header the one below. */
  readonly hasSeparatorLine: boolean;
}

/** A file that was read through once and can be imported. */
export interface SourceFile extends Format {
  /** Its own columns, without those that an import wrote before them. */
  readonly header: readonly string[];
  readonly columns: Columns;
  readonly rows: number;
}

/** A quote that is never closed would make one row of the rest of the file. */
const MAX_ROW_BYTES = 1_000_000;
/** A header is far shorter. */
const HEAD_CHARACTERS = 100_000;
/** Of two that are there as often, the first. */
const DELIMITERS = [',', ';', '\t', '|'] as const;

const headOf = async (file: string, encoding: Encoding): Promise<string> => {
  let head = '';
  for await (const text of textOf(file, encoding)) {
    head += text;
    if (head.length >= HEAD_CHARACTERS) break;
  }
  return head.slice(0, HEAD_CHARACTERS);
};

/**
 * What separates the cells: what Excel says in a line of its own, else what the first line has most of, outside quotes.
 */
const formatOf = async (file: string): Promise<Format> => {
  const encoding = await encodingOf(file);
  const head = await headOf(file, encoding);
  const said = /^"?sep=([^\r\n])"?\r?\n/i.exec(head)?.[1];
  if (said !== undefined) return { file, encoding, delimiter: said, hasSeparatorLine: true };
  const [header = ''] = head
    .trimStart()
    .replaceAll(/"[^"]*"/g, '')
    .split(/\r?\n|\r/, 1);
  const counts = DELIMITERS.map((delimiter) => header.split(delimiter).length);
  const delimiter = DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ',';
  return { file, encoding, delimiter, hasSeparatorLine: false };
};

interface Parsed {
  readonly info: { readonly lines: number };
  readonly record: string[];
}

async function* recordsOf({ file, encoding, delimiter, hasSeparatorLine }: Format): AsyncGenerator<Parsed> {
  const parser = parse({
    delimiter,
    from_line: hasSeparatorLine ? 2 : 1,
    info: true,
    // Dirt of one row must not cost the others: the row's own reader decides.
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: MAX_ROW_BYTES,
  });
  // Its failures arrive through the parser, which is read below.
  pipeline(textOf(file, encoding), parser, () => {});
  try {
    yield* parser;
  } catch (error) {
    if (error instanceof CsvError) throw new CannotImport(`${file} is not CSV: ${error.message}`);
    throw error;
  }
}

/** Excel keeps a number as it is written by making a formula of it: ="9780141439587" */
const cellText = (text: string): string => /^\s*="(.*)"\s*$/s.exec(text)?.[1] ?? text;

const headerOf = (record: readonly string[]): string[] => record.map((name) => cellText(name).trim());

/** Reads the whole file once, before anything is begun or written. Throws `CannotImport` for what is no catalogue. */
export const inspectFile = async (file: string): Promise<SourceFile> => {
  const found = await stat(file).catch(() => undefined);
  if (found === undefined) throw new CannotImport(`There is no file ${file}.`);
  await access(file, constants.R_OK).catch(() => {
    throw new CannotImport(`${file} may not be read by this user.`);
  });
  if (!found.isFile()) throw new CannotImport(`${file} is not a file.`);
  const format = await formatOf(file);
  let header: string[] | undefined;
  let rows = 0;
  for await (const { record } of recordsOf(format)) {
    if (header === undefined) header = headerOf(record);
    else rows += 1;
  }
  if (header === undefined) throw new CannotImport(`${file} is empty.`);
  const columns = columnsOf(header);
  if (!columns.places.has('title')) {
    throw new CannotImport(
      `${file} is no catalogue that can be read: its first line must name the columns, and one of them must be title ` +
        `(read were: ${header.join(', ')}).`,
    );
  }
  return { ...format, header: columns.isRefused ? header.slice(REFUSED_COLUMNS.length) : header, columns, rows };
};

/** The rows below the header, one at a time. */
export async function* readRows(source: SourceFile): AsyncGenerator<SourceRow> {
  const { places, isRefused } = source.columns;
  const ours = isRefused ? REFUSED_COLUMNS.length : 0;
  const width = source.header.length + ours;
  let isHeader = true;
  for await (const { info, record } of recordsOf(source)) {
    if (isHeader) {
      isHeader = false;
      continue;
    }
    const isWhole = record.length === width;
    const copy = isRefused ? Number.parseInt(record[ours - 1] ?? '', 10) : Number.NaN;
    yield {
      line: info.lines,
      raw: record.slice(ours),
      copy: copy > 0 ? copy : undefined,
      cell: isWhole ? (column) => cellText(record[places.get(column) ?? -1] ?? '') : undefined,
    };
  }
}
