import { createReadStream } from 'node:fs';
import { CannotImport } from './refusal.ts';

/** How the bytes of a file are text. */
export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

const BYTE_ORDER_MARKS: readonly (readonly [Encoding, readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];
/** Workbooks: .xlsx is a zip archive, .xls a compound file. */
const WORKBOOKS: readonly (readonly number[])[] = [
  [0x50, 0x4b, 0x03, 0x04],
  [0xd0, 0xcf, 0x11, 0xe0],
];
/** What no text has in Windows-1252: control characters, and bytes without a character. */
// oxlint-disable-next-line no-control-regex -- it is them that are looked for
const NO_TEXT = /[\0-\x08\x0e-\x1a\x1c-\x1f\x7f\x81\x8d\x8f\x90\x9d]/;

const beginsWith = (bytes: Buffer, begin: readonly number[]): boolean =>
  begin.every((byte, place) => bytes[place] === byte);

/**
 * A file's text in the pieces in which it is read, without its byte order mark. Throws a TypeError where the bytes are
 * not `encoding`.
 */
export async function* textOf(file: string, encoding: Encoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  for await (const chunk of createReadStream(file)) yield decoder.decode(chunk as Buffer, { stream: true });
  yield decoder.decode();
}

const isTextIn = async (file: string, encoding: Encoding): Promise<boolean> => {
  try {
    for await (const text of textOf(file, encoding))
      if (encoding === 'windows-1252' && NO_TEXT.test(text)) return false;
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
};

const firstBytes = async (file: string): Promise<Buffer> => {
  for await (const chunk of createReadStream(file, { end: 3 })) return chunk as Buffer;
  return Buffer.alloc(0);
};

/**
 * How a file is encoded: by its byte order mark; without one UTF-8 where all of it is, else what Excel writes in the
 * West. Throws `CannotImport` for what is no text.
 */
export const encodingOf = async (file: string): Promise<Encoding> => {
  const first = await firstBytes(file);
  if (WORKBOOKS.some((begin) => beginsWith(first, begin))) {
    throw new CannotImport(`${file} is a workbook or an archive: save it as CSV in your spreadsheet first.`);
  }
  const marked = BYTE_ORDER_MARKS.find(([, mark]) => beginsWith(first, mark));
  for (const encoding of marked === undefined ? (['utf-8', 'windows-1252'] as const) : [marked[0]]) {
    if (await isTextIn(file, encoding)) return encoding;
  }
  throw new CannotImport(`${file} is no text file (UTF-8, UTF-16 or Windows-1252), so it is no CSV either.`);
};
