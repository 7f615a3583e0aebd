import { expect, it } from 'vitest';
import type { StockCells } from '#contract/stock/fields.ts';
import { createNumberer } from './numbers.ts';

const skusOf = (rows: readonly StockCells[]): (string | undefined)[] => {
  const numbered = createNumberer();
  return rows.map((row) => numbered(row).sku);
};

it('leaves the numbers of the seller, and numbers the others by ISBN and how often it stood there', () => {
  const isbn = '0141439580';
  expect(skusOf([{ sku: 'A 1', isbn }, { isbn }, { isbn, price: '3' }, { isbn: '9780141439587' }])).toEqual([
    'A 1',
    '9780141439587',
    '9780141439587-2',
    '9780141439587-3',
  ]);
});

it('numbers books without an ISBN by what they are, whatever they cost and wherever they stand', () => {
  const emma = { title: 'Emma', author: 'Jane Austen' };
  const [first, second, third] = skusOf([emma, { title: 'Emma', author: 'Kant' }, { ...emma, price: '4', note: 'x' }]);
  expect(first).toMatch(/^[\da-f]{12}$/);
  expect(second).not.toBe(first);
  expect(third).toBe(`${first}-2`);
  expect(skusOf([{ ...emma, condition: 'Good' }])).toEqual([first]);
});
