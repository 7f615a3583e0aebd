import { expect, it } from 'vitest';
import { choose, countOf, isChosen, NONE, selectionOf } from './selection.ts';

it('names what is chosen, and of all what is not', () => {
  const two = choose(NONE, ['a', 'b'], true);
  expect(countOf(two, 10)).toBe(2);
  expect(selectionOf(two, { q: 'x' })).toEqual({ ids: ['a', 'b'] });
  expect(isChosen(choose(two, ['a'], false), 'a')).toBe(false);
  const all = { isAll: true, ids: new Set<string>() };
  expect(isChosen(all, 'c')).toBe(true);
  const allButOne = choose(all, ['c'], false);
  expect(isChosen(allButOne, 'c')).toBe(false);
  expect(countOf(allButOne, 10)).toBe(9);
  expect(selectionOf(allButOne, { q: 'x' })).toEqual({ filter: { q: 'x' }, except: ['c'] });
  expect(countOf(choose(allButOne, ['c'], true), 10)).toBe(10);
});
