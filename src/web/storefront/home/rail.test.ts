import { expect, test } from 'vitest';
import { spread } from './rail.tsx';

const copy = (Seller: string, title: string, status: 'Available' | 'Reserved' = 'Available') => ({
  Seller,
  title,
  status,
});

test('of whoever lists a box of books a rail has two, and none that is reserved', () => {
  const box = ['A', 'B', 'C', 'D'].map((title) => copy('Marlow Books', title));
  const others = [copy('Jun', 'E', 'Reserved'), copy('Jun', 'F'), copy('Ruth', 'G')];
  expect(spread([...box, ...others]).map(({ title }) => title)).toEqual(['A', 'B', 'F', 'G']);
});

test('a rail has eight at most', () => {
  expect(spread(Array.from({ length: 20 }, (_, n) => copy(`seller ${n}`, `${n}`)))).toHaveLength(8);
});
