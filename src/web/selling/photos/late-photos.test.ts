import { expect, test } from 'vitest';
import { PHOTO_REFUSALS } from '#contract/catalog/photo-rules.ts';
import { arrivedInWords } from './late-photos.ts';

const there = { state: 'there', says: undefined } as const;

test('of photos that came late those that were refused are counted and named', () => {
  expect(arrivedInWords('Emma', [there, there])).toEqual({ isWhole: true, text: 'Emma has 2.' });
  const small = { state: 'refused', says: PHOTO_REFUSALS.small } as const;
  const away = { state: 'refused', says: 'You have uploaded 200 photos today.' } as const;
  expect(arrivedInWords('Emma', [there, small, there, away])).toEqual({
    isWhole: false,
    text:
      'Emma has 2 of 4. Photo 2 was left out: This picture is too small: each side needs at least 200 pixels. ' +
      'Photo 4 was left out: You have uploaded 200 photos today.',
  });
});
