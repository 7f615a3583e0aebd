import { expect, test } from 'vitest';
import { ApiError } from '#web/api/api-error.ts';
import { createPhotoQueue } from '#web/shell/photos/photo-queue.ts';
import { withPreviews } from './listing-draft.ts';

const failed = (status: number): Promise<Blob> =>
  Promise.reject(new ApiError({ status, code: status === 0 ? 'offline' : 'not_found', message: 'It cannot be read.' }));

test('a photo whose preview cannot be fetched stays in the draft, and one that is gone does not', async () => {
  const cover = new Blob(['the cover']);
  const previews: Readonly<Record<string, () => Promise<Blob>>> = {
    cover: () => Promise.resolve(cover),
    spine: () => failed(0),
    gone: () => failed(404),
  };
  const photos = await withPreviews(
    [
      { id: 'cover', caption: null },
      { id: 'spine', caption: 'spine' },
      { id: 'gone', caption: 'back' },
    ],
    (id) => previews[id]?.() ?? failed(404),
  );
  expect(photos).toEqual([
    { id: 'cover', caption: null, preview: cover },
    { id: 'spine', caption: 'spine', preview: undefined },
  ]);
  // The next save names both.
  const never = (): Promise<never> => Promise.reject(new Error('nothing is to be sent'));
  const queue = createPhotoQueue(
    { newId: () => 'new', shrink: never, send: never, failureOf: () => ({ again: false, says: '' }) },
    photos,
  );
  expect(queue.chosen()).toEqual([
    { id: 'cover', caption: null },
    { id: 'spine', caption: 'spine' },
  ]);
});
