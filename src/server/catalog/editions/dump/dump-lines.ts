import { createReadStream } from 'node:fs';
import { access, constants, open, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { CannotFill } from './refusal.ts';

/** Longer than any record of a catalogue. */
const LONGEST_LINE = 32_000_000;
const GZIP = Buffer.from([0x1f, 0x8b]);
const READ_BYTES = 1_000_000;

/** The lines of a piece of a dump, and how many bytes of the file were read for it and all before. */
export interface LinesRead {
  readonly lines: readonly string[];
  readonly bytes: number;
}

const isGzip = async (file: string): Promise<boolean> => {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(2), 0, 2, 0);
    return bytesRead === 2 && buffer.equals(GZIP);
  } finally {
    await handle.close();
  }
};

/** Bytes of a file that is there and may be read. Throws `CannotFill` for any other. */
export const sizeOf = async (file: string): Promise<number> => {
  const found = await stat(file).catch(() => undefined);
  if (found === undefined) throw new CannotFill(`There is no file ${file}.`);
  if (!found.isFile()) throw new CannotFill(`${file} is not a file.`);
  await access(file, constants.R_OK).catch(() => {
    throw new CannotFill(`${file} may not be read by this user.`);
  });
  return found.size;
};

const cutShort = (file: string): CannotFill =>
  new CannotFill(`${file} was cut short: its end is missing. Fetch it again; nothing was changed.`);

/**
 * Reads a dump, plain or gzip, a piece at a time. Throws `CannotFill` where the file ends before a gzip stream or a
 * line does: half files are published now and then.
 */
export async function* readLines(file: string): AsyncGenerator<LinesRead> {
  const isPacked = await isGzip(file);
  const packed = createReadStream(file, { highWaterMark: READ_BYTES });
  const unpacked = createGunzip({ chunkSize: READ_BYTES });
  // What fails in the file fails where it is read below.
  const bytes = isPacked ? pipeline(packed, unpacked, () => {}) : packed;
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for await (const piece of bytes) {
      const lines = (rest + decoder.decode(piece as Buffer, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      if (rest.length > LONGEST_LINE) throw new CannotFill(`${file} is no dump of Open Library: it has no lines.`);
      yield { lines, bytes: packed.bytesRead };
    }
  } catch (error) {
    // zlib's codes: Z_BUF_ERROR is an end that came too soon, Z_DATA_ERROR a broken middle.
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'Z_BUF_ERROR') throw cutShort(file);
    if (code === 'Z_DATA_ERROR') throw new CannotFill(`${file} is damaged. Fetch it again; nothing was changed.`);
    throw error;
  } finally {
    packed.destroy();
    unpacked.destroy();
  }
  if (rest + decoder.decode() !== '') throw cutShort(file);
}
