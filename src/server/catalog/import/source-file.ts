import { parse, CsvError } from 'csv-parse';
import { createReadStream } from 'node:fs';
import { access, constants, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { CannotImport } from './refusal.ts';
import { NEEDED_COLUMNS, type Cells } from './source-row.ts';

/** A row as it stands in the file. */
export interface SourceRow {
  /** Line of the file on which the row ends. */
  readonly line: number;
  readonly raw: readonly string[];
  /** Absent when the row has not as many columns as the header. */
  readonly cell: Cells | undefined;
}

/** A file that was read through once and can be imported. */
export interface SourceFile {
  readonly file: string;
  readonly header: readonly string[];
  readonly rows: number;
}

/** A quote that is never closed would make one row of the rest of the file. */
const MAX_ROW_BYTES = 1_000_000;

/** The file's bytes, as long as they are text. */
async function* textOf(file: string): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const chunk of createReadStream(file)) {
      decoder.decode(chunk, { stream: true });
      yield chunk;
    }
    decoder.decode();
  } catch (error) {
    if (error instanceof TypeError) throw new CannotImport(`${file} is no text file (UTF-8), so it is no CSV either.`);
    throw error;
  }
}

interface Parsed {
  readonly info: { readonly lines: number };
  readonly record: string[];
}

async function* recordsOf(file: string): AsyncGenerator<Parsed> {
  const parser = parse({
    bom: true,
    info: true,
    // Dirt of one row must not cost the others: the row's own reader decides.
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: MAX_ROW_BYTES,
  });
  // Its failures arrive through the parser, which is read below.
  pipeline(textOf(file), parser, () => {});
  try {
    yield* parser;
  } catch (error) {
    if (error instanceof CsvError) throw new CannotImport(`${file} is not CSV: ${error.message}`);
    throw error;
  }
}

const headerOf = (file: string, record: readonly string[]): string[] => {
  const header = record.map((name) => name.trim().toLowerCase());
  const missing = NEEDED_COLUMNS.filter((name) => !header.includes(name));
  if (missing.length > 0) {
    throw new CannotImport(
      `${file} is no catalogue that can be read: its first line must name the columns ${NEEDED_COLUMNS.join(', ')}; ` +
        `${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} missing.`,
    );
  }
  return header;
};

/** Reads the whole file once, before anything is begun or written. Throws `CannotImport` for what is no catalogue. */
export const inspectFile = async (file: string): Promise<SourceFile> => {
  const found = await stat(file).catch(() => undefined);
  if (found === undefined) throw new CannotImport(`There is no file ${file}.`);
  await access(file, constants.R_OK).catch(() => {
    throw new CannotImport(`${file} may not be read by this user.`);
  });
  if (!found.isFile()) throw new CannotImport(`${file} is not a file.`);
  let header: string[] | undefined;
  let rows = 0;
  for await (const { record } of recordsOf(file)) {
    if (header === undefined) header = headerOf(file, record);
    else rows += 1;
  }
  if (header === undefined) throw new CannotImport(`${file} is empty.`);
  return { file, header, rows };
};

/** The rows below the header, one at a time. */
export async function* readRows(file: string): AsyncGenerator<SourceRow> {
  let places: ReadonlyMap<string, number> | undefined;
  let columns = 0;
  for await (const { info, record } of recordsOf(file)) {
    if (places === undefined) {
      places = new Map(headerOf(file, record).map((name, place) => [name, place]));
      columns = record.length;
      continue;
    }
    const at = places;
    const whole = record.length === columns;
    yield { line: info.lines, raw: record, cell: whole ? (column) => record[at.get(column) ?? -1] ?? '' : undefined };
  }
}
