// Compresses the built files once, as hard as can be, so that no request waits for it.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/** Pictures and fonts are compressed by their own format. */
const COMPRESSIBLE = new Set(['.css', '.js', '.json', '.svg', '.txt', '.wasm', '.webmanifest']);
/**
 * Below this a body is not worth compressing; the server says the same of every answer
 * (src/server/http/representation.ts).
 */
const MIN_BYTES = 1_000;
const GZIP_LEVEL = 9;

const brotliOf = (body: Buffer, isText: boolean): Promise<Buffer> =>
  brotli(body, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_MODE]: isText ? constants.BROTLI_MODE_TEXT : constants.BROTLI_MODE_GENERIC,
      [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
    },
  });

const precompressFile = async (file: string): Promise<void> => {
  const body = await readFile(file);
  if (body.length < MIN_BYTES) return;
  const forms = {
    br: await brotliOf(body, path.extname(file) !== '.wasm'),
    gz: await zip(body, { level: GZIP_LEVEL }),
  };
  for (const [ending, form] of Object.entries(forms)) {
    if (form.length < body.length) await writeFile(`${file}.${ending}`, form);
  }
};

/** Puts `name.br` and `name.gz` beside every file below `folder` that gets smaller. */
export const precompress = async (folder: string): Promise<void> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && COMPRESSIBLE.has(path.extname(entry.name)));
  await Promise.all(files.map((entry) => precompressFile(path.join(entry.parentPath, entry.name))));
};
