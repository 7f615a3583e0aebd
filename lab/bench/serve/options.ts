// What may be typed after npm run bench -w lab.
import { parseArgs } from 'node:util';

export const USAGE = `
  npm run bench -w lab -- [--books N] [--seconds S] [--connections C] [--database URL] [--keep] [--only LIST] [--resume] [--dry]

  --books        listings in the shop: 100000 (default), 1000000, 10000000; smaller numbers try the bench itself
  --seconds      how long each side of a comparison is measured, in six slices (6)
  --connections  of the load generator, where a bar does not say how many (50)
  --database     a PostgreSQL whose user may make databases (BENCH_DATABASE_URL, TEST_DATABASE_URL, else one of its own)
  --keep         leaves the loaded databases there and takes those that an earlier run left
  --only         some parts, with commas: ${'list page book deep search facets rendered booking growth start news import'}
  --resume       takes what an interrupted run of the same size has measured already
  --dry          does not write lab/docs/performance.md; nor does a run of some parts or of another number of books`;

export const SIZES = [100_000, 1_000_000, 10_000_000];
/** The size that all others are compared with and made from. */
export const BASE_BOOKS = 100_000;

export interface Options {
  readonly books: number;
  readonly seconds: number;
  readonly connections: number;
  /** Absent: a server of its own. */
  readonly database: string | undefined;
  readonly keep: boolean;
  readonly only: ReadonlySet<string> | undefined;
  readonly resume: boolean;
  readonly writes: boolean;
  /** Absent: there is none. */
}

const numberOf = (name: string, text: string, least: number): number => {
  const value = Number(text);
  if (!Number.isFinite(value) || value < least)
    throw new Error(`--${name} is "${text}", but must be ${least} or more.`);
  return value;
};

export const readOptions = (args: readonly string[]): Options => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      books: { type: 'string', default: String(BASE_BOOKS) },
      seconds: { type: 'string', default: '6' },
      connections: { type: 'string', default: '50' },
      database: { type: 'string' },
      keep: { type: 'boolean', default: false },
      only: { type: 'string' },
      resume: { type: 'boolean', default: false },
      dry: { type: 'boolean', default: false },
    },
  });
  const books = numberOf('books', values.books, 300);
  const only = values.only === undefined ? undefined : new Set(values.only.split(',').map((part) => part.trim()));
  return {
    books,
    seconds: numberOf('seconds', values.seconds, 0.2),
    connections: numberOf('connections', values.connections, 1),
    database: values.database ?? (process.env['BENCH_DATABASE_URL'] || process.env['TEST_DATABASE_URL'] || undefined),
    keep: values.keep,
    only,
    resume: values.resume,
    writes: !values.dry && only === undefined && SIZES.includes(books),
  };
};
