import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { offerListing, readListing } from '#contract/catalog/catalog.ts';
import { PHOTO_SIDES } from '#contract/catalog/photo-sizes.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { hasClientFor } from '#test/databases/postgres-client.ts';
import { aCategory, aDraft, aSeller } from '#test/make.ts';
import { aPhoto, aPicture } from '#test/photos.ts';
import { createPhotoStore } from './photo-store.ts';

const root = path.join(import.meta.dirname, '../../../../..');

let place: string;
let t: TestApp;
let empty: TestDatabase;
beforeAll(async () => {
  place = await mkdtemp(path.join(tmpdir(), 'dogear-restored-'));
  t = await testApp({ photos: createPhotoStore({ folder: path.join(place, 'shop/photos') }) });
  empty = await createTestDatabase({ tables: false });
});
afterAll(async () => {
  await t.close();
  await empty.drop();
  await rm(place, { recursive: true });
});

/** Runs a command of the operator's on a shop with this data folder and database; throws what it said if it fails. */
const run = async (script: string, folder: string, database: Pick<TestDatabase, 'url' | 'appUrl'>): Promise<string> => {
  const child = spawn(process.execPath, [path.join(root, 'scripts', script), path.join(place, 'saved.dump')], {
    cwd: root,
    env: {
      PATH: process.env['PATH'] ?? '',
      DATA_DIR: path.join(place, folder),
      DATABASE_URL: database.appUrl,
      DATABASE_MIGRATE_URL: database.url,
    },
  });
  const [printed, told, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  if (code !== 0) throw new Error(`${script} ended with ${code}:\n${printed}${told}`);
  return printed;
};

/** The sha-256 of everything that a shop answers of a copy's photos, by their addresses. */
const answersOf = async (shop: TestApp, id: string): Promise<Record<string, string>> => {
  const { photos } = (await shop.call(readListing, { params: { id } })).body;
  const files = [...PHOTO_SIDES.map((side) => `${side}.webp`), 'shared.jpg'];
  const answers: Record<string, string> = {};
  for (const url of photos.flatMap(({ name }) => files.map((file) => `/photos/${name}/${file}`))) {
    const { statusCode, rawPayload } = await shop.app.inject({ url });
    answers[url] = `${statusCode} ${createHash('sha256').update(rawPayload).digest('hex')}`;
  }
  return answers;
};

test('a copy with two photos is backed up, restored elsewhere, and answers the same bytes', async ({ skip }) => {
  if (!(await hasClientFor(t.databaseUrl)))
    return skip('pg_dump is missing here, or older than the server of the tests');
  const seller = await aSeller(t);
  const { image_url: _, ...draft } = aDraft(seller, await aCategory(t, seller));
  const photos = [await aPhoto(t, seller, await aPicture(1_700, 1_200)), await aPhoto(t, seller)];
  const body = { ...draft, photos: photos.map(({ id }) => ({ id, caption: null })) };
  const { insertedId: id } = (await t.call(offerListing, { body }, { as: seller })).body;
  const before = await answersOf(t, id);
  expect(Object.keys(before)).toHaveLength(8);
  expect(Object.values(before).every((answer) => answer.startsWith('200 '))).toBe(true);

  // Four files of the large one, three of the other.
  expect(await run('backup.ts', 'shop', { url: t.databaseUrl, appUrl: t.databaseAppUrl })).toContain('Photos, 7 files');
  expect(await readdir(place)).toEqual(expect.arrayContaining(['saved.dump', 'saved.dump.photos']));
  expect(await run('restore.ts', 'elsewhere', empty)).toContain('Photos, 7 files');

  const restored = await testApp({
    photos: createPhotoStore({ folder: path.join(place, 'elsewhere/photos') }),
    beside: { ...t, databaseUrl: empty.url, databaseAppUrl: empty.appUrl },
  });
  try {
    expect(await answersOf(restored, id)).toEqual(before);
  } finally {
    await restored.close();
  }
});
