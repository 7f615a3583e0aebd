import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { DatabaseSync } from 'node:sqlite';

/** A row by its table and id; null where it is gone. */
export type Change = readonly [table: string, id: string, row: unknown];

/** What a stand-in remembers, in one SQLite file. */
export interface RowFile {
  /** What the file held when it was opened, in the order in which the rows first came. */
  readonly rows: readonly Change[];
  /** Queues changes; they are in the file together or not at all. */
  write(changes: readonly Change[]): void;
  /** Resolves once everything written so far is on disk; what could not be stored is tried again with the next. */
  durable(): Promise<void>;
  close(): Promise<void>;
}

/** Two processes that start at the same instant disturb each other for less than this. */
const SETTLE_MS = 250;
const SQLITE_BUSY = 5;

const SCHEMA = `PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
  BEGIN EXCLUSIVE;
  CREATE TABLE IF NOT EXISTS rows (place INTEGER PRIMARY KEY, tbl TEXT NOT NULL, id TEXT NOT NULL, row TEXT NOT NULL, UNIQUE (tbl, id));
  COMMIT`;

const openDatabase = (file: string, what: string): DatabaseSync => {
  mkdirSync(dirname(file), { recursive: true });
  // Client secrets and mails are in here: nobody else on the machine needs to read them.
  closeSync(openSync(file, 'a', 0o600));
  const database = new DatabaseSync(file, { timeout: SETTLE_MS });
  try {
    database.exec(SCHEMA);
    return database;
  } catch (error) {
    database.close();
    const isBusy = (error as { errcode?: number }).errcode === SQLITE_BUSY;
    throw new Error(isBusy ? `Another ${what} is already using ${file}.` : `${file} is damaged.`, { cause: error });
  }
};

/**
 * Opens `file` for this process alone, until it is closed or the process dies, however it dies; `what` names its owner.
 */
export const openRowFile = (file: string, what: string): RowFile => {
  const database = openDatabase(file, what);
  const rows = database.prepare('SELECT tbl, id, row FROM rows ORDER BY place').all();
  const put = database.prepare(
    'INSERT INTO rows (tbl, id, row) VALUES (?, ?, ?) ON CONFLICT (tbl, id) DO UPDATE SET row = excluded.row',
  );
  const remove = database.prepare('DELETE FROM rows WHERE tbl = ? AND id = ?');
  let queue: Change[] = [];
  const store = (): void => {
    if (queue.length === 0) return;
    database.exec('BEGIN');
    try {
      for (const [table, id, row] of queue) {
        if (row === null) remove.run(table, id);
        else put.run(table, id, JSON.stringify(row));
      }
      database.exec('COMMIT');
    } catch (error) {
      if (database.isTransaction) database.exec('ROLLBACK');
      throw error;
    }
    queue = [];
  };
  return {
    rows: rows.map(({ tbl, id, row }): Change => [String(tbl), String(id), JSON.parse(String(row))]),
    write: (changes) => void queue.push(...changes),
    durable: async () => {
      // Whoever else writes in this turn of the loop shares the one sync to disk.
      await setImmediate();
      if (database.isOpen) store();
    },
    close: async () => {
      if (!database.isOpen) return;
      store();
      database.close();
    },
  };
};
