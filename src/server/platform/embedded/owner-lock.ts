import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { EmbeddedPostgresError } from './refusal.ts';

/** The process that owns a data folder, as it introduces itself to others. */
export interface Owner {
  readonly pid: number;
  /** Absent until its server answers. */
  readonly url?: string;
}

export interface Ownership {
  /** Tells other processes where the server is. */
  announce(url: string): void;
  release(): void;
}

/** Two processes that start at the same instant disturb each other for less than this. */
const SETTLE_MS = 250;
const SQLITE_BUSY = 5;

const fileOf = (dataDir: string): string => path.join(dataDir, 'owner.json');

/**
 * Makes this process the only owner of a data folder, or answers undefined when another one is.
 * Only a lock of the operating system dies with its process, kill -9 included, and leaves nothing stale. Node takes no
 * such lock itself; the SQLite inside it does, on a file that never holds anything.
 */
export const takeOwnership = (dataDir: string): Ownership | undefined => {
  const lock = lockFile(path.join(dataDir, 'owner.lock'));
  if (lock === undefined) return undefined;
  const file = fileOf(dataDir);
  const write = (owner: Owner): void => {
    // By rename, so that nobody reads half of it; private, since the address may hold a password.
    writeFileSync(`${file}.part`, JSON.stringify(owner), { mode: 0o600 });
    renameSync(`${file}.part`, file);
  };
  write({ pid: process.pid });
  return {
    announce: (url) => write({ pid: process.pid, url }),
    release: () => {
      if (!lock.isOpen) return;
      rmSync(file, { force: true });
      lock.close();
    },
  };
};

const lockFile = (file: string): DatabaseSync | undefined => {
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(file, { timeout: SETTLE_MS });
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return lock;
  } catch (error) {
    lock?.close();
    if (error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY) return undefined;
    const reason = error instanceof Error ? error.message : String(error);
    throw new EmbeddedPostgresError(`The database cannot be kept in ${path.dirname(file)}: ${reason}.`, {
      cause: error,
    });
  }
};

/** Who owns a data folder, as far as the owner has said so. */
export const readOwner = (dataDir: string): Owner | undefined => {
  try {
    return JSON.parse(readFileSync(fileOf(dataDir), 'utf8'));
  } catch {
    return undefined;
  }
};
