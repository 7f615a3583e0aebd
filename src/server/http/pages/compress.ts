import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

export type Encoding = 'br' | 'gzip' | 'identity';

/** Below this a body is not worth compressing. */
const MIN_BYTES = 1_000;

const bestOf = (accepted: string): Encoding => {
  const takes = (name: string): boolean =>
    accepted.split(',').some((part) => part.trim().startsWith(name) && !/;\s*q=0(\.0*)?\s*$/.test(part));
  if (takes('br')) return 'br';
  return takes('gzip') ? 'gzip' : 'identity';
};

/** Browsers say one of a few things; what anybody else says is read each time. */
const MOST_REMEMBERED = 100;
const remembered = new Map<string, Encoding>();

/** The best encoding a client says it takes; one it gives the quality 0 is refused. */
export const encodingOf = (accepted = '', bytes: number): Encoding => {
  if (bytes < MIN_BYTES) return 'identity';
  const known = remembered.get(accepted);
  if (known !== undefined) return known;
  const best = bestOf(accepted);
  if (remembered.size < MOST_REMEMBERED) remembered.set(accepted, best);
  return best;
};

/**
 * How hard to try: for one request, or for all until something changes. What is built is compressed when it is
 * (scripts/build/precompress.ts).
 */
export type Effort = 'once' | 'shared';

const BROTLI_QUALITY = { once: 4, shared: 5 } as const satisfies Record<Effort, number>;
const GZIP_LEVEL = { once: 5, shared: 6 } as const satisfies Record<Effort, number>;

/** `body` in `encoding`. */
export const compress = async (body: Buffer, encoding: Encoding, effort: Effort): Promise<Buffer> => {
  switch (encoding) {
    case 'br':
      return brotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY[effort] } });
    case 'gzip':
      return zip(body, { level: GZIP_LEVEL[effort] });
    case 'identity':
      return body;
    default:
      return encoding satisfies never;
  }
};
