import { createHash } from 'node:crypto';
import type { StockCells, StockField } from '#contract/stock/fields.ts';
import { rowKey, skuOf } from './prepare.ts';

/** What tells books without an ISBN apart; what changes from one copy to the next is no part of it. */
const BOOK: readonly StockField[] = ['title', 'author', 'publisher', 'year', 'edition', 'language'];
/** Two books of one number would be two copies of it, and neither lost. */
const LETTERS = 12;

const digestOf = (cells: StockCells): string =>
  createHash('sha256')
    .update(JSON.stringify(BOOK.map((field) => (cells[field] ?? '').trim())))
    .digest('hex')
    .slice(0, LETTERS);

/**
 * Gives rows without a SKU one, in the order of the file: their ISBN, or else letters by what they say of the book,
 * with -2 and so on where several are alike. So each row is a copy, and the same file has the same numbers every time.
 */
export const createNumberer = (): ((cells: StockCells) => StockCells) => {
  const times = new Map<string, number>();
  return (cells) => {
    if (skuOf(cells) !== '') return cells;
    const key = rowKey(cells) || digestOf(cells);
    const count = (times.get(key) ?? 0) + 1;
    times.set(key, count);
    return { ...cells, sku: count === 1 ? key : `${key}-${count}` };
  };
};
