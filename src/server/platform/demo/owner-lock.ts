import { StartError } from '#server/platform/start-error.ts';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Two processes that start at the same instant disturb each other for less than this. */
const SETTLE_MS = 250;
const SQLITE_BUSY = 5;

const OWNER = 'owner.json';

/**
 * Makes this process the only owner of a data folder, or answers undefined when another one is.
 * Only a lock of the operating system dies with its process, kill -9 included, and leaves nothing stale. Node takes no
 * such lock itself; the SQLite inside it does, on an empty file. `announce` tells others where the server is.
 */
export const takeOwnership = (dataDir: string) => {
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(path.join(dataDir, 'owner.lock'), { timeout: SETTLE_MS });
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    lock?.close();
    const { message, errcode } = error as Error & { errcode?: number };
    if (errcode === SQLITE_BUSY) return undefined;
    throw new StartError(`The database cannot be kept in ${dataDir}: ${message}.`, { cause: error });
  }
  const file = path.join(dataDir, OWNER);
  const announce = (url?: string): void => {
    // By rename, so that nobody reads half of it.
    writeFileSync(`${file}.part`, JSON.stringify({ pid: process.pid, url }), { mode: 0o600 });
    renameSync(`${file}.part`, file);
  };
  const release = (): void => {
    if (!lock.isOpen) return;
    rmSync(file, { force: true });
    lock.close();
  };
  announce();
  return { announce, release };
};

/** Who owns a data folder, as far as the owner has said so: no `url` until its server answers. */
export const readOwner = (dataDir: string): { pid: number; url?: string } | undefined => {
  try {
    return JSON.parse(readFileSync(path.join(dataDir, OWNER), 'utf8'));
  } catch {
    return undefined;
  }
};
