/** A file of an archive: its text or bytes, in pieces. */
export interface ArchivedFile {
  readonly name: string;
  readonly pieces: AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>;
}

/** Fast rather than small: it is done while others wait. */
const LEVEL = 3;

/** Makes a zip of `files` piece by piece, as fast as it is taken: no more than a piece is ever in memory. */
export async function* zipOf(files: AsyncIterable<ArchivedFile> | Iterable<ArchivedFile>): AsyncGenerator<Uint8Array> {
  const { Zip, ZipDeflate } = await import('fflate');
  let made: Uint8Array[] = [];
  const zip = new Zip((error, chunk) => {
    if (error) throw error;
    made.push(chunk);
  });
  const take = (): Uint8Array[] => {
    const taken = made;
    made = [];
    return taken;
  };
  const encoder = new TextEncoder();
  for await (const file of files) {
    const entry = new ZipDeflate(file.name, { level: LEVEL });
    zip.add(entry);
    for await (const piece of file.pieces) {
      entry.push(typeof piece === 'string' ? encoder.encode(piece) : piece);
      yield* take();
    }
    entry.push(new Uint8Array(0), true);
    yield* take();
  }
  zip.end();
  yield* take();
}
