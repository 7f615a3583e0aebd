import { expect, test } from 'vitest';
import { choicesOf } from './search-choices.ts';
import { searchPath, searchStateOf, toggleValue, withoutEmpty } from './search-state.ts';

const stateOf = (query: string) => searchStateOf(new URLSearchParams(query));

test.each([
  ['binding=hardcover,mass%20market&signed=1', { binding: 'hardcover,mass market', signed: '1' }],
  ['binding=hardcover,hardcover', { binding: 'hardcover' }],
  ['binding=velvet&language=english&without=smell&seller=me', {}],
  ['since=7', { since: '7' }],
  ['since=2026-11-30', { since: '2026-11-30' }],
  ['since=2026-02-30', {}],
  ['near=Paris&within=25', { near: 'Paris', within: '25' }],
  ['near=Paris&within=24', { near: 'Paris' }],
  ['within=25', {}],
  ['reduced=1&since=3', { since: '3', reduced: '1' }],
  [`q=${'dune '.repeat(60)}`, { q: 'dune '.repeat(40) }],
])('%s searches for %j', (query, state) => {
  expect(stateOf(query)).toEqual(state);
});

test('a distance from nowhere leaves the address', () => {
  expect(withoutEmpty(new URL('https://shop.example/search?q=dune&near=&within=25'))).toBe('/search?q=dune');
  expect(withoutEmpty(new URL('https://shop.example/search?q=dune&near=Rome&within=25'))).toBeUndefined();
});

test('each choice is named and can be taken back by itself', () => {
  const state = stateOf('binding=hardcover,leather&signed=1&without=ex-library&near=4250542&within=10&unknown=1');
  const place = { id: '4250542', name: 'Springfield', region: 'Illinois', country: 'United States' };
  const choices = choicesOf(state, { category: (id) => id, near: { taken: place, others: [] } });
  expect(choices.map(({ label, without }) => [label, searchPath(without)])).toEqual([
    [
      'Within 10 km of Springfield, Illinois',
      '/search?binding=hardcover%2Cleather&signed=1&without=ex-library&unknown=1',
    ],
    ['Hardcover', '/search?near=4250542&within=10&binding=leather&signed=1&without=ex-library&unknown=1'],
    ['Leather', '/search?near=4250542&within=10&binding=hardcover&signed=1&without=ex-library&unknown=1'],
    ['Signed', '/search?near=4250542&within=10&binding=hardcover%2Cleather&without=ex-library&unknown=1'],
    ['Not ex-library', '/search?near=4250542&within=10&binding=hardcover%2Cleather&signed=1&unknown=1'],
    ['Also where not known', '/search?near=4250542&within=10&binding=hardcover%2Cleather&signed=1&without=ex-library'],
  ]);
});

test('conditions stand in their own order, whichever was chosen first', () => {
  expect(toggleValue(stateOf('condition=Fair'), 'condition', 'Excellent').condition).toBe('Excellent,Fair');
  expect(toggleValue(stateOf('condition=Fair'), 'condition', 'Fair').condition).toBe('');
});
