import type { StockCells, StockField } from '#contract/stock/fields.ts';
import { readIsbn } from '#contract/catalog/isbn.ts';
import { MAX_ROW_LENGTH, type ReadRow } from './rows.ts';

/** The tags of a record with their values, in order. */
type Tags = Map<string, string[]>;

const TAG = /^([A-Z]{2})\|(.*)$/s;

/** The lines of a text, without what ends them. */
async function* linesOf(text: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const piece of text) {
    const lines = (rest + piece).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest.replace(/\r$/, '');
}

const isIsbn = (text: string): boolean => {
  const read = readIsbn(text);
  return read !== undefined && 'isbn13' in read;
};

/** In some programs the ISBN stands in another tag, or at the beginning of the description. */
const isbnOf = (tags: Tags): string => {
  const [bn = '', nc = '', note = ''] = ['BN', 'NC', 'NT'].map((tag) => tags.get(tag)?.[0] ?? '');
  if (isIsbn(bn)) return bn;
  if (isIsbn(nc)) return nc;
  const inNote = /\b(?:97[89][- ]?)?(?:\d[- ]?){9}[\dX]\b/i.exec(note.slice(0, 200))?.[0];
  return inNote !== undefined && isIsbn(inNote) ? inNote : bn;
};

/** The strongest word: 1 is for sale, 7 with Hold is paused, any other action takes the book away. */
const statusOf = (tags: Tags): string => {
  const [action = ''] = (tags.get('XB')?.[0] ?? '').trim().split('|');
  const said = tags.get('IS')?.[0]?.trim() ?? '';
  if (/hold/i.test(said)) return action === '' || action === '1' || action === '7' ? 'Hold' : 'Sold';
  if (action !== '' && action !== '1') return 'Sold';
  return action === '1' ? 'For Sale' : said;
};

const NAMED: readonly (readonly [StockField, string])[] = [
  ['title', 'TI'],
  ['publisher', 'PU'],
  ['edition', 'ED'],
  ['binding', 'BD'],
  ['condition', 'CN'],
  ['jacket', 'JK'],
  ['description', 'NT'],
  ['price', 'PR'],
  ['cost', 'PC'],
  ['shelf', 'LO'],
  ['note', 'AN'],
  ['quantity', 'CO'],
  ['language', 'LG'],
  ['pages', 'PG'],
  ['image', 'IM'],
  ['signed', 'SG'],
];

/** Roles other than the author's, with the word that is written behind their names. */
const ROLES = [
  ['AI', 'illustrator'],
  ['AE', 'editor'],
  ['AT', 'translator'],
  ['AC', 'compiler'],
] as const;

const cellsOf = (tags: Tags): StockCells => {
  const first = (tag: string): string => tags.get(tag)?.[0]?.trim() ?? '';
  const cells: StockCells = {};
  const put = (field: StockField, text: string): void => {
    if (text !== '') cells[field] = text;
  };
  for (const [field, tag] of NAMED) put(field, first(tag));
  // A catalogue number is no ISBN, and the number of the seller only where there is no other.
  put('sku', first('UR') || first('RE') || first('CI'));
  const others = ROLES.flatMap(([tag, role]) => (tags.get(tag) ?? []).map((name) => `${name.trim()} (${role})`));
  put(
    'author',
    [...(tags.get('AA') ?? []).map((name) => name.trim()), ...others].filter((name) => name !== '').join('; '),
  );
  put('isbn', isbnOf(tags));
  put('year', /\d{4}/.exec(first('DP'))?.[0] ?? '');
  put('category', first('CA'));
  put('status', statusOf(tags));
  return cells;
};

const problemOf = (tags: Tags, length: number): string | undefined => {
  if (length > MAX_ROW_LENGTH) return 'It is longer than a million characters';
  const base = tags.get('XD')?.[0]?.trim() ?? 'S';
  return base === 'S' || base === '' ? undefined : `It is not for sale (XD is ${base}): it is something that is wanted`;
};

/**
 * The records of a UIEE file: each begins with UR or RE and ends at an empty line or at the next of these; a line
 * without a tag goes on with the value before it. What stands before the first is skipped.
 */
export async function* readUiee(text: AsyncIterable<string>): AsyncGenerator<ReadRow> {
  let tags: Tags = new Map();
  let line = 0;
  let begin = 0;
  let length = 0;
  let last: string | undefined;
  const taken = (): ReadRow => ({
    line: begin,
    cells: length > MAX_ROW_LENGTH ? {} : cellsOf(tags),
    problem: problemOf(tags, length),
  });
  const clear = (): void => {
    tags = new Map();
    length = 0;
    last = undefined;
  };
  for await (const one of linesOf(text)) {
    line += 1;
    if (one.trim() === '') {
      if (tags.size > 0) yield taken();
      clear();
      continue;
    }
    const [, tag, value = ''] = TAG.exec(one) ?? [];
    if (tag === 'UR' || tag === 'RE') {
      if (tags.size > 0) yield taken();
      clear();
      begin = line;
    } else if (tags.size === 0) {
      continue;
    }
    length += one.length;
    if (length > MAX_ROW_LENGTH) continue;
    if (tag !== undefined) {
      tags.set(tag, [...(tags.get(tag) ?? []), value]);
      last = tag;
    } else if (last !== undefined) {
      const values = tags.get(last) ?? [];
      values[values.length - 1] = `${values.at(-1) ?? ''}\n${one}`;
    }
  }
  if (tags.size > 0) yield taken();
}
