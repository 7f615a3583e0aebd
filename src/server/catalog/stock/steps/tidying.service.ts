import { UNDO_HOURS } from '#contract/stock/stock-files.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import {
  deleteFile,
  deleteOldFiles,
  dropBytes,
  dropChanges,
  eraseOwn,
  listFileIds,
  listOldFiles,
} from '#server/catalog/stock/files/stock-files.queries.ts';
import { deleteRows } from './rows.queries.ts';

const BATCH = 5_000;

const empty = async (db: Db, id: string): Promise<void> => {
  await deleteRows(db, id);
  await dropChanges(db, id);
  await dropBytes(db, id);
};

/** Drops what cannot be undone any more, and files that nobody went on with. */
export const tidyStock = async (db: Db): Promise<void> => {
  for (const id of await listOldFiles(db, UNDO_HOURS)) await empty(db, id);
  await deleteOldFiles(db);
};

/** Forgets the files of somebody who leaves, and what only they saw of their copies. */
export const forgetStock = async (db: Db, sellerId: string): Promise<void> => {
  for (const id of await listFileIds(db, sellerId)) {
    await empty(db, id);
    await deleteFile(db, id);
  }
  while ((await eraseOwn(db, sellerId, BATCH)) === BATCH);
};
