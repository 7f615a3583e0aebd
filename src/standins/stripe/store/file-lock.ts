import { DatabaseSync } from 'node:sqlite';

/** Two processes that start at the same instant disturb each other for less than this. */
const SETTLE_MS = 250;
const SQLITE_BUSY = 5;

/**
 * Claims a file for this process until the returned function is called or the process dies, however it dies: only a lock
 * of the operating system leaves nothing to clean up by hand. Node takes no such lock itself; the SQLite inside it does,
 * on an empty file beside. Throws when another process holds the claim.
 */
export async function claimFile(file: string, what = 'Stripe stand-in'): Promise<() => Promise<void>> {
  const lock = new DatabaseSync(`${file}.owner`, { timeout: SETTLE_MS });
  try {
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    if ((error as { errcode?: number }).errcode !== SQLITE_BUSY) throw error;
    throw new Error(`Another ${what} is already using ${file}.`, { cause: error });
  }
  return async () => {
    if (lock.isOpen) lock.close();
  };
}
