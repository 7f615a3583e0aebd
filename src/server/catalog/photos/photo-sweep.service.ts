import { withAdvisoryLock } from '#server/platform/postgres/advisory-lock.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { deleteFree } from './listing-photos.queries.ts';
import { keysOf } from './photo-files.service.ts';
import {
  dropDeleted,
  dropFiles,
  keepRest,
  lockDueFiles,
  lockDuePhotos,
  markGoing,
  stripWithdrawn,
} from './photo-sweep.queries.ts';
import type { PhotoStore } from './store/photo-store.ts';

/** Rows changed at once: well within the time of a statement. */
const BATCH = 200;

export interface SweepDeps {
  readonly db: Db;
  readonly store: PhotoStore;
}

/**
 * Deletes photos that nothing has had for a day, and takes out of the store what no photo and no promise has. A row is
 * marked before its file goes and dropped afterwards, so that whoever brings the same picture meanwhile waits, and a
 * process that dies in between leaves it to the next.
 */
export const sweepPhotos = async ({ db, store }: SweepDeps): Promise<void> => {
  // One process at a time: what a slow one takes out must not be what somebody has brought again since.
  await withAdvisoryLock(db, 'photos', () => sweep({ db, store }));
};

const sweep = async ({ db, store }: SweepDeps): Promise<void> => {
  for (let due = BATCH; due === BATCH;) {
    due = await db.transaction().execute(async (trx) => {
      const ids = await lockDuePhotos(trx, BATCH);
      if (ids.length === 0) return 0;
      await deleteFree(trx, ids);
      await keepRest(trx, ids);
      return ids.length;
    });
  }
  await dropDeleted(db);
  for (let due = BATCH; due === BATCH;) {
    const { looked, going } = await db.transaction().execute(async (trx) => {
      const names = await lockDueFiles(trx, BATCH);
      return { looked: names.length, going: names.length === 0 ? [] : await markGoing(trx, names) };
    });
    due = looked;
    if (going.length === 0) continue;
    await store.delete(going.flatMap(keysOf));
    await dropFiles(db, going);
  }
};

/** Takes the photos off copies that nobody can restore any more. */
export const stripOldPhotos = async (db: Db): Promise<void> => {
  while ((await stripWithdrawn(db, BATCH)) === BATCH);
};
