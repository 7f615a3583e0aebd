import { open, rm, type FileHandle } from 'node:fs/promises';
import { REFUSED_COLUMNS } from './columns.ts';
import { CannotImport } from './refusal.ts';
import type { Encoding } from './source-text.ts';

/**
 * Where refused rows are put down, each with its line, the reason and which of equal rows it is before its own columns.
 */
export interface RefusedRows {
  add(line: number, reason: string, copy: number | undefined, raw: readonly string[]): Promise<void>;
  /** Ends the file; answers its name if there is one. */
  close(): Promise<string | undefined>;
}

const quoted = (text: string, delimiter: string): string =>
  /["\r\n]/.test(text) || text.includes(delimiter) ? `"${text.replaceAll('"', '""')}"` : text;

interface Like {
  readonly header: readonly string[];
  readonly delimiter: string;
  readonly encoding: Encoding;
}

/**
 * A file like the one that is imported, made when the first row is refused; one that an earlier run left is removed.
 * Mended, it is imported as any other. It is UTF-8, and says so to a spreadsheet where the rows came from one.
 */
export const refusedRows = async (file: string, { header, delimiter, encoding }: Like): Promise<RefusedRows> => {
  const csvLine = (cells: readonly string[]): string =>
    `${cells.map((text) => quoted(text, delimiter)).join(delimiter)}\n`;
  const mark = encoding === 'utf-8' ? '' : '\uFEFF';
  let handle: FileHandle | undefined;
  const begin = async (): Promise<FileHandle> => {
    try {
      const made = await open(file, 'w');
      await made.write(mark + csvLine([...REFUSED_COLUMNS, ...header]));
      return made;
    } catch (error) {
      throw new CannotImport(`The refused rows cannot be written to ${file}: ${String(error)}`);
    }
  };
  await rm(file, { force: true });
  return {
    add: async (line, reason, copy, raw) => {
      handle ??= await begin();
      await handle.write(csvLine([String(line), reason, String(copy ?? ''), ...raw]));
    },
    close: async () => {
      await handle?.close();
      return handle && file;
    },
  };
};
