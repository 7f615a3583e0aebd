/** How the bytes of a file are text. */
export const ENCODINGS = ['utf-8', 'windows-1252', 'utf-16le', 'utf-16be'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** The bytes of a file, read from its beginning each time that it is called. */
export type ReadBytes = () => AsyncIterable<Uint8Array>;

const MARKS: readonly (readonly [Encoding, readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/** Files that are no text, by their first bytes, and what they are. */
const OTHER_FILES: readonly (readonly [string, readonly number[]])[] = [
  ['a ZIP archive or an Excel workbook', [0x50, 0x4b, 0x03, 0x04]],
  ['an Excel workbook', [0xd0, 0xcf, 0x11, 0xe0]],
  ['a PDF', [0x25, 0x50, 0x44, 0x46]],
  ['a compressed file', [0x1f, 0x8b]],
];

const beginsWith = (bytes: Uint8Array, begin: readonly number[]): boolean =>
  begin.every((byte, place) => bytes[place] === byte);

/** Of Latin text in UTF-16 every other byte is 0. */
const wideOf = (bytes: Uint8Array): Encoding | undefined => {
  const zeros = [...bytes].flatMap((byte, place) => (byte === 0 ? [place % 2] : []));
  const odd = zeros.filter((side) => side === 1).length;
  const even = zeros.length - odd;
  const many = bytes.length * 0.1;
  if (odd > many && odd > even) return 'utf-16le';
  return even > many && even > odd ? 'utf-16be' : undefined;
};

const isUtf8 = async (read: ReadBytes): Promise<boolean> => {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const chunk of read()) decoder.decode(chunk, { stream: true });
    decoder.decode();
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
};

/**
 * How a file is encoded: by its byte order mark; UTF-16 where every other byte is 0; UTF-8 where all of it is; else
 * what Windows writes in the West. A sentence where it is no text.
 */
export const encodingOf = async (
  read: ReadBytes,
): Promise<{ readonly encoding: Encoding } | { readonly problem: string }> => {
  let first = new Uint8Array();
  for await (const chunk of read()) {
    first = chunk.slice(0, 4_096);
    break;
  }
  if (first.length === 0) return { problem: 'There is nothing in this file' };
  const other = OTHER_FILES.find(([, begin]) => beginsWith(first, begin));
  if (other !== undefined) return { problem: `This is ${other[0]}: export your stock as text first, then drop that` };
  const marked = MARKS.find(([, mark]) => beginsWith(first, mark))?.[0] ?? wideOf(first);
  if (marked !== undefined) return { encoding: marked };
  return { encoding: (await isUtf8(read)) ? 'utf-8' : 'windows-1252' };
};

/** The text of a file in pieces, without its byte order mark; what cannot be read is U+FFFD. */
export async function* textOf(read: ReadBytes, encoding: Encoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding);
  for await (const chunk of read()) yield decoder.decode(chunk, { stream: true });
  yield decoder.decode();
}
