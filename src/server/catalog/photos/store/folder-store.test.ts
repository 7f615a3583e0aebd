import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createPhotoStore } from './photo-store.ts';

const aFolder = async (): Promise<string> => {
  const folder = await mkdtemp(path.join(tmpdir(), 'dogear-photos-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
};

const KEY = 'ab/abcdefghijklmnopqrstuv/720.webp';

const keysOf = async (folder: string, prefix = ''): Promise<string[]> => {
  const found: string[] = [];
  for await (const { key } of createPhotoStore({ folder }).keys(prefix)) found.push(key);
  return found.toSorted();
};

test('what was put is read, replaced and deleted, also by another process', async () => {
  const folder = path.join(await aFolder(), 'not', 'there', 'yet');
  const store = createPhotoStore({ folder });
  expect(await store.get(KEY)).toBeUndefined();
  expect(await keysOf(folder)).toEqual([]);
  const [first, second] = [randomBytes(70_000), randomBytes(50_000)];
  await store.put(KEY, first, 'image/webp');
  await store.put('cd/x/shared.jpg', first, 'image/jpeg');
  const other = createPhotoStore({ folder });
  expect(Buffer.from((await other.get(KEY)) ?? [])).toEqual(first);
  await store.put(KEY, second, 'image/webp');
  expect(Buffer.from((await other.get(KEY)) ?? [])).toEqual(second);
  expect(await keysOf(folder)).toEqual([KEY, 'cd/x/shared.jpg']);
  expect(await keysOf(folder, 'cd/')).toEqual(['cd/x/shared.jpg']);
  await store.delete([KEY, 'no/such/one.webp']);
  expect(await store.get(KEY)).toBeUndefined();
  expect(await keysOf(folder)).toEqual(['cd/x/shared.jpg']);
});

test('whoever reads meanwhile sees one photo or the other, never a part of one', async () => {
  const folder = await aFolder();
  const store = createPhotoStore({ folder });
  const photos = [1, 2].map((byte) => Buffer.alloc(2_000_000, byte));
  await store.put(KEY, Buffer.alloc(2_000_000, 1), 'image/webp');
  let writing = true;
  const reads = (async () => {
    const sizes = new Set<number>();
    while (writing) sizes.add((await store.get(KEY))?.length ?? 0);
    return sizes;
  })();
  for (let round = 0; round < 5; round += 1)
    await Promise.all(photos.map((bytes) => store.put(KEY, bytes, 'image/webp')));
  writing = false;
  expect([...(await reads)]).toEqual([2_000_000]);
  expect(await readdir(path.join(folder, 'tmp'))).toEqual([]);
});

test.each(['', '/etc/passwd', '../x', 'a/../x', 'a//x', 'A/x', 'a\\x', 'a/.hidden', 'tmp/..', 'a b', 'a/x.'])(
  'the key "%s" is refused',
  async (key) => {
    const store = createPhotoStore({ folder: await aFolder() });
    await expect(store.put(key, Buffer.from('x'), 'image/webp')).rejects.toThrow('is no key of a photo');
    await expect(store.get(key)).rejects.toThrow('is no key of a photo');
    await expect(store.delete([key])).rejects.toThrow('is no key of a photo');
  },
);

test('what a process that died left is no photo, and goes after a day', async () => {
  const folder = await aFolder();
  await mkdir(path.join(folder, 'tmp'));
  const [old, young] = ['old', 'young'].map((name) => path.join(folder, 'tmp', name));
  await Promise.all([old, young].map((file) => writeFile(file ?? '', 'half')));
  const before = new Date(Date.now() - 90_000_000);
  await utimes(old ?? '', before, before);
  expect(await keysOf(folder)).toEqual([]);
  expect(await readdir(path.join(folder, 'tmp'))).toEqual(['young']);
});

/** In a room of its own where a small file system can be mounted, as root of it. */
const IN_A_ROOM = ['--user', '--map-root-user', '--mount', 'sh', '-c'];
const mayMount = spawnSync('unshare', [...IN_A_ROOM, 'mount -t tmpfs none /tmp']).status === 0;

test.runIf(mayMount)('a full disk is told as such, and keeps what was there and nothing of the other', async () => {
  const folder = await aFolder();
  const script = `
    import { createPhotoStore, StoreFullError } from '${path.join(import.meta.dirname, 'photo-store.ts')}';
    const store = createPhotoStore({ folder: '${folder}' });
    await store.put('a/small.webp', Buffer.alloc(100_000, 1), 'image/webp');
    const error = await store.put('a/large.webp', Buffer.alloc(900_000, 2), 'image/webp').catch((e) => e);
    const again = await store.put('a/small.webp', Buffer.alloc(900_000, 3), 'image/webp').catch((e) => e);
    const small = await store.get('a/small.webp');
    const keys = await Array.fromAsync(store.keys(''), ({ key }) => key);
    await store.put('a/other.webp', Buffer.alloc(100_000, 4), 'image/webp');
    const full = [error, again].map((each) => each instanceof StoreFullError);
    console.log(JSON.stringify({ full, keys, kept: small.length === 100_000 && small[9] === 1 }));`;
  const node = `mount -t tmpfs -o size=600k none '${folder}' && '${process.execPath}' --input-type=module -e "$SCRIPT"`;
  const { stdout, stderr } = spawnSync('unshare', [...IN_A_ROOM, node], {
    env: { ...process.env, SCRIPT: script },
    encoding: 'utf8',
    cwd: path.join(import.meta.dirname, '../../../../..'),
  });
  expect(stderr).toBe('');
  expect(JSON.parse(stdout)).toEqual({ full: [true, true], keys: ['a/small.webp'], kept: true });
});
