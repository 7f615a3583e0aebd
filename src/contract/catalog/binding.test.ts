import { expect, it } from 'vitest';
import { bindingOf } from './binding.ts';

it.each([
  ['Hardcover', 'hardcover'],
  ['hardback', 'hardcover'],
  ['Cloth', 'hardcover'],
  ['relié', 'hardcover'],
  ['Gebundene Ausgabe; gebunden', 'hardcover'],
  ['Paperback', 'paperback'],
  ['Trade Paperback', 'paperback'],
  ['Taschenbuch', 'paperback'],
  ['Mass Market Paperback', 'mass market'],
  ['Leather Bound', 'leather'],
  ['School & Library Binding', 'library binding'],
  ['Spiral-bound', 'spiral'],
  ['Board book', 'board book'],
  ['Audio CD', 'audio'],
  ['E-book', 'other'],
  ['', ''],
  ['Unknown Binding', ''],
])('reads %j as %j', (text, binding) => {
  expect(bindingOf(text)).toBe(binding);
});
