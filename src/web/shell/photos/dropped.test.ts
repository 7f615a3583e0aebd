import { expect, test } from 'vitest';
import { leftOutInWords, sortFiles } from './dropped.ts';

test('of what is dropped the pictures are taken, and what is none is named', () => {
  const [cover, letter, taken] = [
    { name: 'cover.jpg', type: 'image/jpeg' },
    { name: 'letter.pdf', type: 'application/pdf' },
    { name: 'taken.heic', type: '' },
  ];
  expect(sortFiles([cover, letter, taken])).toEqual({ pictures: [cover, taken], others: [letter] });
  expect(leftOutInWords({ tooMany: 0, pictures: 2, others: ['letter.pdf'] })).toBe(
    'Left out: letter.pdf. Please choose a JPEG, PNG, WebP or AVIF picture.',
  );
  expect(leftOutInWords({ tooMany: 1, pictures: 9, others: ['a.pdf', 'b.zip'] })).toBe(
    'At most 8 photos: 1 of them were left out. Left out: a.pdf, b.zip. Please choose a JPEG, PNG, WebP or AVIF picture.',
  );
});

test('nothing but what is no picture gets a sentence, and pictures alone none', () => {
  expect(leftOutInWords({ tooMany: 0, others: ['letter.pdf'] })).toBe(
    'Please choose a JPEG, PNG, WebP or AVIF picture.',
  );
  expect(leftOutInWords({ tooMany: 0, pictures: 3 })).toBe('');
});
