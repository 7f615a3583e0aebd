import { open, rm, type FileHandle } from 'node:fs/promises';
import { CannotImport } from './refusal.ts';

/** Where refused rows are put down, each with its line and reason before its own columns. */
export interface RefusedRows {
  add(line: number, reason: string, raw: readonly string[]): Promise<void>;
  /** Ends the file; answers its name if there is one. */
  close(): Promise<string | undefined>;
}

const csvCell = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
const csvLine = (cells: readonly string[]): string => `${cells.map(csvCell).join(',')}\n`;

/** A file that is made when the first row is refused; one that an earlier run left is removed. */
export const refusedRows = async (file: string, header: readonly string[]): Promise<RefusedRows> => {
  let handle: FileHandle | undefined;
  const begin = async (): Promise<FileHandle> => {
    try {
      const made = await open(file, 'w');
      await made.write(csvLine(['line', 'reason', ...header]));
      return made;
    } catch (error) {
      throw new CannotImport(`The refused rows cannot be written to ${file}: ${String(error)}`);
    }
  };
  await rm(file, { force: true });
  return {
    add: async (line, reason, raw) => {
      handle ??= await begin();
      await handle.write(csvLine([String(line), reason, ...raw]));
    },
    close: async () => {
      await handle?.close();
      return handle && file;
    },
  };
};
