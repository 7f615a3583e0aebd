import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { LETTERS } from '#server/catalog/photos/photo-files.service.ts';
import { sweepPhotos } from '#server/catalog/photos/photo-sweep.service.ts';
import type { PhotoStore } from '#server/catalog/photos/store/photo-store.ts';
import { createS3Store } from '#server/catalog/photos/store/s3-store.ts';
import { createS3StandIn, type S3StandIn } from '#standins/s3/standin.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { aBuyer, type TestUser } from '#test/make.ts';
import { aPhoto, aPicture, upload } from '#test/photos.ts';
import { lookForStrays } from './strays.service.ts';

let t: TestApp;
let user: TestUser;
beforeAll(async () => {
  t = await testApp();
  user = await aBuyer(t);
});
afterAll(() => t.close());

const BYTES = Buffer.from('what lies in the store');
const DAY_LATER = new Date(Date.now() + 25 * 3_600_000);
const deps = () => ({ db: t.db, store: t.photos });

const keysIn = async (store: PhotoStore, prefix = ''): Promise<string[]> => {
  const keys: string[] = [];
  for await (const { key } of store.keys(prefix)) keys.push(key);
  return keys;
};
const keysOf = (name: string): Promise<string[]> => keysIn(t.photos, `${name.slice(0, 2)}/${name}/`);
const nameOf = async (id: string): Promise<string> =>
  (await t.db.selectFrom('photos').select('name').where('id', '=', id).executeTakeFirstOrThrow()).name ?? '';
const turnOf = (letter: string) =>
  sql`UPDATE photo_store_turn SET next_at = now(), turn = ${LETTERS.indexOf(letter)}`.execute(t.db);
const lookAt = async (letter: string, now = DAY_LATER, store = t.photos) => {
  await turnOf(letter);
  return lookForStrays({ db: t.db, store }, now);
};
const statusOf = async (id: string): Promise<number> => {
  const headers = { authorization: `Bearer ${user.accessToken}` };
  return (await t.app.inject({ url: `/api/photos/${id}/320.webp`, headers })).statusCode;
};
const sweep = () => sweepPhotos(deps());

/** A photo whose rows a restore did not bring back. */
const aStray = async (bytes?: Buffer): Promise<string> => {
  const { id } = await aPhoto(t, user, bytes);
  const name = await nameOf(id);
  await t.db.deleteFrom('photos').where('id', '=', id).execute();
  await t.db.deleteFrom('photo_files').where('name', '=', name).execute();
  return name;
};

test('what no row knows is gone a day later, and all else stays', async () => {
  const { id } = await aPhoto(t, user);
  const [known, stray] = [await nameOf(id), await aStray()];
  const foreign = [
    `${stray.slice(0, 2)}/${stray}/notes.txt`,
    `${stray.slice(0, 2)}/another-thing/320.webp`,
    'backups/shop.dump',
  ];
  for (const key of foreign) await t.photos.put(key, BYTES, 'image/webp');
  const before = await keysOf(known);
  for (const letter of LETTERS) expect(await lookAt(letter, new Date())).toMatchObject({ strays: 0 });
  await sweep();
  expect(await keysOf(stray)).not.toHaveLength(1);
  for (const letter of LETTERS) await lookAt(letter);
  await sweep();
  expect(await keysOf(stray)).toEqual([foreign[0]]);
  expect(await keysIn(t.photos)).toEqual(expect.arrayContaining(foreign));
  expect(await keysOf(known)).toEqual(before);
  expect(await statusOf(id)).toBe(200);
  expect(await t.db.selectFrom('photo_files').select('name').where('name', '=', stray).execute()).toEqual([]);
});

test('each part has its turn once a day, in one process', async () => {
  await turnOf('7');
  const looks = await Promise.all(Array.from({ length: 5 }, () => lookForStrays(deps())));
  expect(looks.filter((look) => look !== undefined)).toHaveLength(1);
  const next = await t.db.selectFrom('photo_store_turn').selectAll().executeTakeFirstOrThrow();
  // After the last one, the first again.
  expect(next.turn).toBe(0);
  expect((next.next_at.getTime() - Date.now()) * LETTERS.length).toBeGreaterThan(23 * 3_600_000);
  expect(await lookForStrays(deps())).toBeUndefined();
});

test('who brings such a picture just then waits, and has it', async () => {
  const bytes = await aPicture();
  const stray = await aStray(bytes);
  expect(await lookAt(stray.charAt(0))).toMatchObject({ strays: 1 });
  const id = randomUUID();
  const [uploaded] = await Promise.all([upload(t, user, { id, bytes }), sweep()]);
  expect(uploaded.status).toBe(200);
  expect(await nameOf(id)).toBe(stray);
  await lookAt(stray.charAt(0));
  await sweep();
  expect(await statusOf(id)).toBe(200);
});

const unusedLetter = async (): Promise<string> => {
  const rows = await t.db.selectFrom('photo_files').select('name').execute();
  const names = [...rows.map(({ name }) => name), ...(await keysIn(t.photos))];
  const free = [...LETTERS].find((letter) => !names.some((name) => name.startsWith(letter)));
  if (free === undefined) throw new Error('every letter is taken');
  return free;
};

test('a store that belongs to another database loses nothing', async () => {
  // Pictures of the tests above have any names: under this letter there is none.
  const letter = await unusedLetter();
  const theirs = Array.from(
    { length: 9 },
    (_, n) => `${letter}${letter}/${letter}${letter}${LETTERS.charAt(n).repeat(20)}/320.webp`,
  );
  for (const key of theirs) await t.photos.put(key, BYTES, 'image/webp');
  expect(await lookAt(letter)).toEqual({ known: 0, strays: 9, isHeld: true });
  await sweep();
  expect(await keysIn(t.photos, `${letter}${letter}/`)).toHaveLength(9);
  await t.photos.delete(theirs.slice(2));
  expect(await lookAt(letter)).toEqual({ known: 0, strays: 2, isHeld: false });
  await sweep();
  expect(await keysIn(t.photos, `${letter}${letter}/`)).toEqual([]);
});

describe('in a bucket', () => {
  const keys = { accessKeyId: 'AKIADOGEAR', secretAccessKey: 'a secret of the tests' };
  let s3: S3StandIn;
  let store: PhotoStore;
  beforeEach(async () => {
    s3 = createS3StandIn('photos', keys);
    store = createS3Store({
      bucket: 'photos',
      region: 'eu-central-1',
      endpoint: await s3.listen(),
      credentials: keys,
    });
  });
  afterEach(() => s3.close());

  test('it lists the part whose turn it is, page by page', async () => {
    const names = ['qa', 'qb', 'qc'].map((two) => `${two}${'q'.repeat(20)}`);
    for (const name of names)
      for (const file of ['320.webp', '720.webp', 'shared.jpg'])
        await store.put(`${name.slice(0, 2)}/${name}/${file}`, BYTES, 'image/webp');
    await store.put(`ra/ra${'r'.repeat(20)}/320.webp`, BYTES, 'image/webp');
    const before = s3.calls.length;
    expect(await lookAt('q', DAY_LATER, store)).toEqual({ known: 0, strays: 3, isHeld: false });
    // Nine files, three a page, and not a word with the store about each.
    expect(s3.calls.slice(before)).toEqual(['GET ', 'GET ', 'GET ']);
    await sweepPhotos({ db: t.db, store });
    expect([...s3.objects.keys()]).toEqual([`ra/ra${'r'.repeat(20)}/320.webp`]);
  });

  test('what cannot be listed now has its turn again, and nothing is taken away meanwhile', async () => {
    await store.put(`qd/qd${'q'.repeat(20)}/320.webp`, BYTES, 'image/webp');
    s3.fail('down', 3, 'GET');
    await expect(lookAt('q', DAY_LATER, store)).rejects.toThrow();
    await sweepPhotos({ db: t.db, store });
    expect(s3.objects.size).toBe(1);
  });
});
