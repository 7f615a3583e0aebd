import { normaliseIsbn } from '#contract/catalog/isbn.ts';
import {
  factsOf,
  isObject,
  keyOf,
  listOf,
  NAME_LENGTH,
  textOf,
  type RecordFacts,
  type Json,
} from '#server/catalog/editions/record.ts';

/** The kinds of records whose dumps are read; a redirect says which record took another's place. */
export type DumpRow =
  | {
      readonly kind: 'edition';
      readonly key: string;
      readonly isbns: readonly string[];
      readonly facts: RecordFacts;
      readonly authors: readonly string[];
      readonly work: string;
    }
  | { readonly kind: 'work'; readonly key: string; readonly authors: readonly string[] }
  | { readonly kind: 'author'; readonly key: string; readonly name: string }
  | { readonly kind: 'redirect'; readonly key: string; readonly to: string };

/** A record that says more belongs to no single book. */
const MOST_ISBNS = 10;
const MOST_AUTHORS = 20;
const COLUMNS = 5;

const KEY = /^\/[a-z]+\/\w+$/;

/** The key of a record that another names; empty where it is none. */
const namedIn = (value: unknown): string => {
  const key = keyOf(value);
  return KEY.test(key) ? key : '';
};

const keysOf = (value: unknown): string[] =>
  listOf(value)
    .map(keyOf)
    .filter((key) => /^\/authors\/\w+$/.test(key))
    .slice(0, MOST_AUTHORS);

const isbnsOf = (record: Json): string[] => {
  const said = [...listOf(record['isbn_13']), ...listOf(record['isbn_10'])].slice(0, 2 * MOST_ISBNS);
  const read = said.map((isbn) => (typeof isbn === 'string' ? normaliseIsbn(isbn) : undefined));
  return [...new Set(read.filter((isbn) => isbn !== undefined))].slice(0, MOST_ISBNS);
};

const editionOf = (key: string, record: Json): DumpRow | undefined => {
  const isbns = isbnsOf(record);
  const facts = isbns.length === 0 ? undefined : factsOf(record);
  if (facts === undefined) return undefined;
  const work = namedIn(listOf(record['works'])[0]);
  return { kind: 'edition', key, isbns, facts, authors: keysOf(record['authors']), work };
};

const readRecord = (json: string): Json | undefined => {
  try {
    const record: unknown = JSON.parse(json);
    return isObject(record) ? record : undefined;
  } catch {
    return undefined;
  }
};

/**
 * Reads a line of a dump (https://openlibrary.org/developers/dumps): type, key, revision, when, JSON, between tabs.
 * Undefined for what the shop has no use for: other types, deleted records, editions without an ISBN or a title;
 * `broken` for a line of these types that cannot be read.
 */
export const readDumpLine = (line: string): DumpRow | 'broken' | undefined => {
  const cells = line.split('\t');
  const [type = '', key = ''] = cells;
  if (!/^\/type\/(edition|work|author|redirect)$/.test(type)) return undefined;
  const record = cells.length === COLUMNS && KEY.test(key) ? readRecord(cells[COLUMNS - 1] ?? '') : undefined;
  if (record === undefined) return 'broken';
  if (type === '/type/edition') return editionOf(key, record);
  if (type === '/type/work') return { kind: 'work', key, authors: keysOf(record['authors']) };
  if (type === '/type/author') return { kind: 'author', key, name: textOf(record['name'], NAME_LENGTH) };
  return { kind: 'redirect', key, to: namedIn(record['location']) };
};
