import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { claimFile } from './file-lock.ts';
import { openJournal } from './journal.ts';
import { TABLE_NAMES, type TableName, type Tables } from './tables.ts';

type Maps = { [Name in TableName]: Map<string, Tables[Name]> };
/** One row of a journal line: table, id, and the row as it is from now on (null: gone). */
type Change = [table: TableName, id: string, row: unknown];

// Stripe keeps idempotency keys for at least a day and events for thirty.
const KEEP_ANSWERS_MS = 2 * 24 * 60 * 60 * 1000;
const KEEP_EVENTS_SECONDS = 30 * 24 * 60 * 60;
// Below this a rewrite gains nothing worth its fsync.
const COMPACT_FROM_BYTES = 8 << 20;
const COMPACT_AT_GROWTH = 3;

/** Reads and writes inside one transaction. */
export interface Trx {
  get<Name extends TableName>(table: Name, id: string): Tables[Name] | undefined;
  /** All rows, newest first. */
  newestFirst<Name extends TableName>(table: Name): Tables[Name][];
  put<Name extends TableName>(table: Name, id: string, row: Tables[Name]): void;
  remove(table: TableName, id: string): void;
}

export interface Store extends Pick<Trx, 'get' | 'newestFirst'> {
  entries<Name extends TableName>(table: Name): IterableIterator<[string, Tables[Name]]>;
  /**
   * Runs `work` to its end: its writes become one line of the journal, all or none. A throw undoes them, unless
   * `keeps` says that this very throw is an outcome to remember (a declined card is one).
   */
  transact<Result>(work: (trx: Trx) => Result, keeps?: (thrown: unknown) => boolean): Result;
  /** Resolves when every transaction so far is on disk. */
  durable(): Promise<void>;
  close(): Promise<void>;
}

/** Opens the stand-in's memory: maps in RAM, replayed from `file` and written through to it. */
export async function openStore(file: string, compactFromBytes = COMPACT_FROM_BYTES): Promise<Store> {
  // The claim lies beside the file, so their folder comes first.
  await mkdir(dirname(file), { recursive: true });
  const release = await claimFile(file);
  const maps = Object.fromEntries(TABLE_NAMES.map((name) => [name, new Map()])) as unknown as Maps;

  function apply([table, id, row]: Change): void {
    // The one place where rows lose their type: they were typed when they were written.
    const map = maps[table] as Map<string, unknown>;
    if (row === null) map.delete(id);
    else map.set(id, row);
  }

  const journal = await openJournal(file, (line) => {
    for (const change of JSON.parse(line) as Change[]) if (change[0] in maps) apply(change);
  }).catch(async (error: unknown) => {
    await release();
    throw error;
  });
  let compactAt = Math.max(compactFromBytes, journal.size());

  const get: Trx['get'] = (table, id) => maps[table].get(id);
  const newestFirst: Trx['newestFirst'] = (table) => [...maps[table].values()].reverse();

  async function compact(): Promise<void> {
    const now = Date.now();
    for (const [id, row] of maps.kept_answers)
      if (row.createdAtMs < now - KEEP_ANSWERS_MS) maps.kept_answers.delete(id);
    const waiting = new Set([...maps.deliveries.values()].map((row) => row.eventId));
    const oldest = now / 1000 - KEEP_EVENTS_SECONDS;
    for (const [id, row] of maps.events) if (row.created < oldest && !waiting.has(id)) maps.events.delete(id);
    // Lines queued meanwhile are appended behind: they repeat what is here or say what came later.
    await journal.rewrite(function* lines() {
      for (const table of TABLE_NAMES) for (const [id, row] of maps[table]) yield JSON.stringify([[table, id, row]]);
    });
    compactAt = Math.max(compactFromBytes, journal.size() * COMPACT_AT_GROWTH);
  }

  return {
    get,
    newestFirst,
    entries: (table) => maps[table].entries(),
    transact(work, keeps = () => false) {
      const changes: Change[] = [];
      const undo: Change[] = [];
      function write(table: TableName, id: string, row: unknown): void {
        undo.push([table, id, maps[table].get(id) ?? null]);
        changes.push([table, id, row]);
        apply([table, id, row]);
      }
      const trx: Trx = { get, newestFirst, put: write, remove: (table, id) => write(table, id, null) };
      try {
        return work(trx);
      } catch (error) {
        if (!keeps(error)) {
          changes.length = 0;
          for (const change of undo.reverse()) apply(change);
        }
        throw error;
      } finally {
        if (changes.length > 0) journal.append(JSON.stringify(changes));
      }
    },
    async durable() {
      await journal.flushed();
      if (journal.size() < compactAt) return;
      compactAt = Infinity;
      // What was asked is on disk by now; a rewrite that fails is tried again later and refuses nobody.
      await compact().catch(() => void (compactAt = journal.size() * COMPACT_AT_GROWTH));
    },
    async close() {
      await journal.close();
      await release();
    },
  };
}
