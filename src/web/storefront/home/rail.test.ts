import { expect, test } from 'vitest';
import { spread } from './rail.tsx';

const copy = (Seller: string, title: string, more: Partial<Parameters<typeof spread>[0][number]> = {}) => ({
  Seller,
  title,
  authors: '',
  isbn13: '',
  resale_price: 5,
  status: 'Available' as const,
  ...more,
});

test('of whoever lists a box of books a rail has two, and none that is reserved', () => {
  const box = ['A', 'B', 'C', 'D'].map((title) => copy('Marlow Books', title));
  const others = [copy('Jun', 'E', { status: 'Reserved' }), copy('Jun', 'F'), copy('Ruth', 'G')];
  expect(spread([...box, ...others]).map(({ title }) => title)).toEqual(['A', 'B', 'F', 'G']);
});

test('where one seller has listed all of the newest, a rail is still as wide as a phone', () => {
  const box = ['A', 'B', 'C', 'D', 'E'].map((title) => copy('Marlow Books', title));
  expect(spread([...box, copy('Jun', 'F')]).map(({ title }) => title)).toEqual(['A', 'B', 'F', 'C']);
  expect(spread(box.slice(0, 3))).toHaveLength(3);
});

test('a rail has eight at most', () => {
  expect(spread(Array.from({ length: 20 }, (_, n) => copy(`seller ${n}`, `${n}`)))).toHaveLength(8);
});

test('a book is there once, as the cheapest of its copies that are free', () => {
  const isbn13 = '9780441172719';
  const shown = spread([
    copy('Jun', 'Dune', { isbn13, resale_price: 8 }),
    copy('Ruth', 'Emma'),
    copy('Ana', 'Dune (reprint)', { isbn13, resale_price: 6 }),
    copy('Marlow Books', 'Dune', { isbn13, resale_price: 3, status: 'Reserved' }),
  ]);
  expect(shown.map(({ title, resale_price, isFrom }) => [title, resale_price, isFrom])).toEqual([
    ['Dune (reprint)', 6, true],
    ['Emma', 5, false],
  ]);
});
