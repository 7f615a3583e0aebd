import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createFolderStore } from './folder-store.ts';
import { photosBeside, restorePhotos, savePhotos } from './photo-copies.ts';

let place: string;
beforeEach(async () => {
  place = await mkdtemp(path.join(tmpdir(), 'dogear-copies-'));
});
afterEach(() => rm(place, { recursive: true, force: true }));

const at = (name: string): string => path.join(place, name);

test('photos are saved beside a backup and restored into an empty shop, byte by byte', async () => {
  const shop = createFolderStore(at('photos'));
  const photos = Array.from({ length: 5 }, (_, n) => ({ key: `a${n}/name/320.webp`, bytes: randomBytes(9_000) }));
  for (const { key, bytes } of photos) await shop.put(key, bytes, 'image/webp');
  await shop.put('a0/name/shared.jpg', randomBytes(100), 'image/jpeg');
  expect(await savePhotos(at('photos'), at('shop.dump'))).toBe(6);
  expect((await readdir(place)).toSorted()).toEqual(['photos', 'shop.dump.photos']);
  expect((await stat(photosBeside(at('shop.dump')))).mode & 0o077).toBe(0);
  expect(await restorePhotos(at('shop.dump'), at('elsewhere'))).toBe(6);
  for (const { key, bytes } of photos)
    expect(Buffer.from((await createFolderStore(at('elsewhere')).get(key)) ?? [])).toEqual(bytes);
});

test('what the shop has got since stays', async () => {
  await createFolderStore(at('photos')).put('aa/one/320.webp', randomBytes(10), 'image/webp');
  await savePhotos(at('photos'), at('shop.dump'));
  const younger = randomBytes(20);
  await createFolderStore(at('photos')).put('bb/two/320.webp', younger, 'image/webp');
  await restorePhotos(at('shop.dump'), at('photos'));
  expect(Buffer.from((await createFolderStore(at('photos')).get('bb/two/320.webp')) ?? [])).toEqual(younger);
});

test('a shop without photos has an empty copy, and a backup of before photos none', async () => {
  expect(await savePhotos(at('photos'), at('shop.dump'))).toBe(0);
  expect(await restorePhotos(at('shop.dump'), at('photos'))).toBe(0);
  expect(await restorePhotos(at('older.dump'), at('photos'))).toBeUndefined();
});
