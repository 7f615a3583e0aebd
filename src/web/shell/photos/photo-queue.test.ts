import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Photo } from '#contract/catalog/photos.ts';
import { ApiError } from '#web/api/api-error.ts';
import { createPhotoQueue, type PhotoQueueDeps } from './photo-queue.ts';
import { fitted, PictureRefused, refusalOf, sizeRefusal } from './shrink.ts';
import { failureOf } from './use-photo-queue.ts';

const picture = (name: string): Blob => new Blob([name], { type: 'image/jpeg' });
const answer = (id: string): Photo => ({ id, width: 3, height: 4, colour: '336699', name: null });
const offline = new ApiError({ status: 0, code: 'offline', message: 'The shop cannot be reached.' });

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const queueWith = (
  send: PhotoQueueDeps['send'],
  shrink: PhotoQueueDeps['shrink'] = (file) => Promise.resolve(file),
) => {
  let n = 0;
  return createPhotoQueue({ newId: () => `photo-${(n += 1)}`, shrink, send, failureOf });
};
const settle = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0);

describe('photos on their way', () => {
  test('go two at a time, tell how far they are, and are chosen as soon as they are there', async () => {
    const sent = new Map<string, { end: () => void; onProgress: (share: number) => void }>();
    const queue = queueWith(
      (id, _picture, { onProgress }) =>
        new Promise((resolve) => void sent.set(id, { end: () => resolve(answer(id)), onProgress })),
    );
    expect(queue.add([picture('a'), picture('b'), picture('c')])).toBe(0);
    await settle();
    expect([...sent.keys()]).toEqual(['photo-1', 'photo-2']);
    sent.get('photo-1')?.onProgress(0.5);
    expect(queue.items()[0]).toMatchObject({ state: 'sending', progress: 0.5 });
    sent.get('photo-2')?.end();
    await settle();
    expect([...sent.keys()]).toEqual(['photo-1', 'photo-2', 'photo-3']);
    expect(queue.chosen()).toEqual([{ id: 'photo-2', caption: null }]);
    expect(queue.underWay()).toBe(2);
  });

  test('are sent again by themselves after a lost connection, each with its own id', async () => {
    const tries: string[] = [];
    let isAway = true;
    const queue = queueWith((id) => {
      tries.push(id);
      return isAway ? Promise.reject(offline) : Promise.resolve(answer(id));
    });
    queue.add([picture('a')]);
    await settle();
    expect(queue.items()).toMatchObject([{ state: 'waiting', says: 'Waiting for the connection…' }]);
    await vi.advanceTimersByTimeAsync(1_000);
    isAway = false;
    await vi.advanceTimersByTimeAsync(2_000);
    expect(tries).toEqual(['photo-1', 'photo-1', 'photo-1']);
    expect(queue.items()).toMatchObject([{ state: 'there', says: undefined }]);
    queue.close();
  });

  test('go on at once when the connection is back, and what was refused only when asked to', async () => {
    const failures: Error[] = [offline, new ApiError({ status: 422, code: 'photo_refused', message: 'Too small' })];
    const send = vi.fn<PhotoQueueDeps['send']>((id) => {
      const failure = failures.shift();
      return failure === undefined ? Promise.resolve(answer(id)) : Promise.reject(failure);
    });
    const queue = queueWith(send);
    queue.add([picture('a')]);
    await settle();
    queue.retry();
    await settle();
    expect(queue.items()).toMatchObject([{ state: 'refused', says: 'Too small' }]);
    queue.retry();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(send).toHaveBeenCalledTimes(2);
    queue.retry('photo-1');
    await settle();
    expect(queue.chosen()).toHaveLength(1);
  });

  test('that the browser cannot read are refused in a sentence, and nothing of them is sent', async () => {
    const send = vi.fn<PhotoQueueDeps['send']>((id) => Promise.resolve(answer(id)));
    const queue = queueWith(send, () => Promise.reject(new PictureRefused('heic')));
    queue.add([picture('a')]);
    await settle();
    expect(queue.items()).toMatchObject([{ state: 'refused', says: expect.stringContaining('HEIC') }]);
    expect(send).not.toHaveBeenCalled();
  });
});

describe('photos in their order', () => {
  const there = async () => {
    const queue = queueWith((id) => Promise.resolve(answer(id)));
    queue.add(['a', 'b', 'c'].map(picture));
    await settle();
    await settle();
    return queue;
  };
  const ids = (queue: Awaited<ReturnType<typeof there>>): string[] => queue.items().map(({ id }) => id);

  test('are moved within their places, captioned, taken away and put back', async () => {
    const queue = await there();
    queue.move('photo-3', 0);
    queue.move('photo-1', 9);
    expect(ids(queue)).toEqual(['photo-3', 'photo-1', 'photo-2']);
    queue.setCaption('photo-1', 'spine');
    queue.remove('photo-1');
    expect(queue.chosen()).toEqual([
      { id: 'photo-3', caption: null },
      { id: 'photo-2', caption: null },
    ]);
    queue.restore('photo-1');
    expect(queue.chosen()[1]).toEqual({ id: 'photo-1', caption: 'spine' });
  });

  test('are eight at most', async () => {
    const queue = await there();
    expect(queue.add(Array.from({ length: 7 }, (_, n) => picture(String(n))))).toBe(2);
    expect(queue.items()).toHaveLength(8);
  });
});

test('what a picture may be is known before it travels', () => {
  expect(fitted(4_000, 3_000)).toEqual({ width: 2_048, height: 1_536 });
  expect(fitted(640, 480)).toEqual({ width: 640, height: 480 });
  expect([sizeRefusal(199, 900), sizeRefusal(200, 1_001), sizeRefusal(200, 1_000)]).toEqual([
    'small',
    'long',
    undefined,
  ]);
  const head = (text: string): Uint8Array => new TextEncoder().encode(text);
  expect(refusalOf(head('    ftypheic'), '')).toBe('heic');
  expect(refusalOf(head('    ftypavif'), 'image/avif')).toBe('broken');
  expect(refusalOf(head('GIF89a      '), 'image/gif')).toBe('kind');
  expect(refusalOf(new Uint8Array(), 'image/png')).toBe('empty');
});
