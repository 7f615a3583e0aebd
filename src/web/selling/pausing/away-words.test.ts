import { expect, test } from 'vitest';
import { listedInWords } from './away-words.ts';

test('a copy that is listed while its seller is away is not said to be in the shop', () => {
  expect(listedInWords({ paused: false, until: null })).toBe('is in the shop now.');
  expect(listedInWords({ paused: true, until: '2026-12-24' })).toBe('appears when you are back on Dec 24, 2026.');
  expect(listedInWords({ paused: true, until: null })).toBe('appears when you are back.');
});
