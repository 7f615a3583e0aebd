import { expect, it } from 'vitest';
import { createTwice, readBarcode } from './barcode.ts';

it('reads a book’s number, and the price beside it', () => {
  expect(readBarcode('9780306406157')).toEqual({ isbn13: '9780306406157' });
  expect(readBarcode('978030640615751995')).toEqual({ isbn13: '9780306406157', addOnCents: 1_995 });
  expect(readBarcode('978030640615790000')).toEqual({ isbn13: '9780306406157' });
});

it.each([
  ['0071001005955', 'inside the front cover'],
  ['4006381333931', 'inside the front cover'],
  ['9770262407244', 'magazine'],
  ['9790260000438', 'printed music'],
])('says of %s what to look for', (text, part) => {
  expect(readBarcode(text)).toEqual({ problem: expect.stringContaining(part) as unknown });
});

it('believes a code that is seen twice within a second, with its price from either look', () => {
  const twice = createTwice();
  expect(twice.look(['9780306406157', '978030640615751995'], 0)).toBeUndefined();
  expect(twice.look([], 400)).toBeUndefined();
  expect(twice.look(['9780306406157'], 900)).toBe('978030640615751995');
});

it('does not believe what comes back later, nor two codes that are seen once each', () => {
  const twice = createTwice();
  expect(twice.look(['9780306406157'], 0)).toBeUndefined();
  expect(twice.look(['9780439023481'], 100)).toBeUndefined();
  expect(twice.look(['9780306406157'], 1_200)).toBeUndefined();
  expect(twice.look(['9780306406157'], 1_300)).toBe('9780306406157');
});
