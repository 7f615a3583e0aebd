import { readIsbn } from '#contract/catalog/isbn.ts';
import type { ReadRow } from './rows.ts';

const CANDIDATE = /(?<![\dX])(?:97[89][-\s.]?)?(?:\d[-\s.]?){9}[\dXx](?!\d)/g;

/** The ISBNs of a text with where each stands first and how often; whatever is between them is nothing. */
export async function* readIsbnList(text: AsyncIterable<string>): AsyncGenerator<ReadRow> {
  const found = new Map<string, { line: number; count: number }>();
  let line = 1;
  let rest = '';
  const take = (piece: string): void => {
    for (const [typed] of piece.matchAll(CANDIDATE)) {
      const read = readIsbn(typed);
      if (read === undefined || 'problem' in read) continue;
      const before = found.get(read.isbn13);
      if (before === undefined) found.set(read.isbn13, { line, count: 1 });
      else before.count += 1;
    }
    line += 1;
  };
  for await (const piece of text) {
    const lines = (rest + piece).split(/\r\n|\n|\r/);
    rest = lines.pop() ?? '';
    for (const one of lines) take(one);
  }
  take(rest);
  for (const [isbn13, { line: at, count }] of found)
    yield { line: at, cells: { sku: isbn13, isbn: isbn13, quantity: String(count) } };
}
