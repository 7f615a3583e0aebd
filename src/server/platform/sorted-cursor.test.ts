import { expect, test } from 'vitest';
import { AppError } from './errors.ts';
import { sortedCursorOf, sortedPageOf, sortedPositionOf, SORTED_LETTERS } from './sorted-cursor.ts';
import { SortedPageQuery } from '#contract/scalars.ts';
import { Type } from 'typebox';
import { Value } from 'typebox/value';

const ID = '11111111-1111-4111-8111-111111111111';
const AT = '2026-01-01T00:00:00.000000Z';

test.each([
  ['newest', 'time', AT],
  ['oldest', 'time', AT],
  ['price-up', 'number', '1250'],
  ['title-up', 'text', 'the name of the rose'],
  ['title-up', 'text', ''],
  ['title-down', 'text', 'ドグラ・マグラ “x” % _'],
] as const)('a cursor of %s holds a %s and gives it back', (sort, kind, key) => {
  const cursor = sortedCursorOf(sort, { key, id: ID });
  expect(sortedPositionOf(cursor, sort, kind)).toEqual({ key, id: ID });
  expect(sortedPositionOf(undefined, sort, kind)).toBeUndefined();
});

test('the longest text fits what a call takes', () => {
  const cursor = sortedCursorOf('title-down', { key: '𝔊'.repeat(SORTED_LETTERS), id: ID });
  expect(Value.Check(Type.Object(SortedPageQuery), { cursor })).toBe(true);
  expect(Value.Check(Type.Object(SortedPageQuery), { cursor: cursor.repeat(2) })).toBe(false);
  expect(sortedPositionOf(cursor, 'title-down', 'text')?.id).toBe(ID);
});

test.each([
  ['of another order', 'price-up', 'number', sortedCursorOf('price-down', { key: '1', id: ID })],
  ['of the newest first', 'price-up', 'number', sortedCursorOf('newest', { key: AT, id: ID })],
  ['of an order, for the newest first', 'newest', 'time', sortedCursorOf('price-up', { key: '1', id: ID })],
  ['with a word for a number', 'price-up', 'number', sortedCursorOf('price-up', { key: '1 OR 1', id: ID })],
  ['with a number too large', 'price-up', 'number', sortedCursorOf('price-up', { key: '9'.repeat(13), id: ID })],
  [
    'with a day that never was',
    'oldest',
    'time',
    sortedCursorOf('oldest', { key: AT.replace('01-01', '02-31'), id: ID }),
  ],
  ['with what the database refuses', 'title-up', 'text', sortedCursorOf('title-up', { key: 'a\0b', id: ID })],
  [
    'with bytes that are no text',
    'title-up',
    'text',
    `title-up.${Buffer.from([0xff, 0xfe]).toString('base64url')}.${ID}`,
  ],
  ['that is nonsense', 'title-up', 'text', 'nonsense'],
  ['that is empty', 'title-up', 'text', ''],
] as const)('a cursor %s is 400', (_, sort, kind, cursor) => {
  expect(() => sortedPositionOf(cursor, sort, kind)).toThrow(AppError);
});

test('a page has a way on where there is one more row', () => {
  const rows = ['a', 'b', 'c'].map((key) => ({ key, id: ID }));
  expect(sortedPageOf(rows, 2, 'name-up')).toEqual({
    rows: rows.slice(0, 2),
    next: sortedCursorOf('name-up', { key: 'b', id: ID }),
  });
  expect(sortedPageOf(rows, 3, 'name-up')).toEqual({ rows });
});
