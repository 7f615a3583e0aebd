import { expect, test } from 'vitest';
import { isVisible, oneLine } from './text.ts';

test.each([
  ['  The  Hobbit ', 'The Hobbit'],
  ['a\u0007\u001b[31mb', 'a [31mb'],
  ['two\r\nlines\u2028and more', 'two lines and more'],
  ['Ｔｏｋｉｏ 😀', 'Ｔｏｋｉｏ 😀'],
])('%j is the line %j', (text, line) => expect(oneLine(text)).toBe(line));

test.each(['', '  ', '\u200b', '\u00ad\u2060\ufeff', '\u0000'])('%j shows nothing', (text) =>
  expect(isVisible(text)).toBe(false),
);

test.each(['a', '漢', '7', '?', '€', '😀', '\u200ba'])('%j shows something', (text) =>
  expect(isVisible(text)).toBe(true),
);
