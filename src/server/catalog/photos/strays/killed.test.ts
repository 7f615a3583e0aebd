import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { globSync } from 'node:fs';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LETTERS } from '#server/catalog/photos/photo-files.service.ts';
import { sweepPhotos } from '#server/catalog/photos/photo-sweep.service.ts';
import { createPhotoStore } from '#server/catalog/photos/store/photo-store.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { aBuyer, type TestUser } from '#test/make.ts';
import { aPicture, upload } from '#test/photos.ts';
import { lookForStrays } from './strays.service.ts';

const WORKER = path.join(import.meta.dirname, '../../../../../test/photo-store/photo-worker.ts');
/** Half of its files there and one under way; all there; all there and noted. */
const POINTS = ['photo-under-way:2', 'photo-stored', 'photo-noted'];

let folder: string;
let t: TestApp;
let user: TestUser;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'dogear-killed-'));
  t = await testApp({ photos: createPhotoStore({ folder: path.join(folder, 'photos') }) });
  user = await aBuyer(t);
});
afterAll(async () => {
  await t.close();
  await rm(folder, { recursive: true });
});

/** Takes a picture up in a process of its own, which is killed at the named point. */
const killedAt = async (point: string, id: string, bytes: Buffer): Promise<void> => {
  const picture = path.join(folder, 'picture.jpg');
  await writeFile(picture, bytes);
  const args = [WORKER, t.databaseAppUrl, path.join(folder, 'photos'), user.id, id, picture];
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env['PATH'] ?? '', DOGEAR_CRASH_AT: point },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
};

const files = (): string[] => globSync('photos/**/*.*', { cwd: folder });
const underWay = (): string[] => globSync('photos/tmp/*', { cwd: folder });
const shownTo = async (id: string): Promise<number> => {
  const headers = { authorization: `Bearer ${user.accessToken}` };
  return (await t.app.inject({ url: `/api/photos/${id}/720.webp`, headers })).statusCode;
};
const rowsOf = (id: string) => t.db.selectFrom('photos').select('id').where('id', '=', id).execute();

/** All that happens by itself within two days. */
const daysLater = async (): Promise<void> => {
  const yesterday = new Date(Date.now() - 25 * 3_600_000);
  for (const part of underWay()) await utimes(path.join(folder, part), yesterday, yesterday);
  await sql`UPDATE photo_files SET keep_until = keep_until - interval '25 hours'`.execute(t.db);
  await sweepPhotos({ db: t.db, store: t.photos });
  for (const _letter of LETTERS) {
    await sql`UPDATE photo_store_turn SET next_at = now()`.execute(t.db);
    await lookForStrays({ db: t.db, store: t.photos }, new Date(Date.now() + 25 * 3_600_000));
  }
  await sweepPhotos({ db: t.db, store: t.photos });
};

test.each(POINTS)('killed at %s there is no photo, and sending it again makes it whole', async (point) => {
  const [id, bytes] = [randomUUID(), await aPicture(900, 700)];
  await killedAt(point, id, bytes);
  expect([await rowsOf(id), await shownTo(id)]).toEqual([[], 404]);
  const again = await upload(t, user, { id, bytes });
  expect([again.status, again.body.id]).toEqual([200, id]);
  await daysLater();
  expect(await shownTo(id)).toBe(200);
  expect(underWay()).toEqual([]);
});

test.each(POINTS)('killed at %s and never sent again, nothing of it is left two days later', async (point) => {
  const before = files();
  const id = randomUUID();
  await killedAt(point, id, await aPicture(900, 700));
  expect([...files(), ...underWay()].length).toBeGreaterThan(before.length);
  await daysLater();
  expect([files().toSorted(), underWay()]).toEqual([before.toSorted(), []]);
  const { rows } = await sql`SELECT name FROM photo_files AS f
    WHERE NOT EXISTS (SELECT FROM photos AS p WHERE p.name = f.name)`.execute(t.db);
  expect(rows).toEqual([]);
});
