import { openRowFile, type Change } from '#standins/row-file.ts';
import { TABLE_NAMES, type TableName, type Tables } from './tables.ts';

type Maps = { [Name in TableName]: Map<string, Tables[Name]> };

// Stripe keeps idempotency keys for at least a day and events for thirty.
const KEEP_ANSWERS_MS = 2 * 24 * 60 * 60 * 1000;
const KEEP_EVENTS_SECONDS = 30 * 24 * 60 * 60;
const TIDY_MS = 60 * 60 * 1000;

/** Reads and writes inside one transaction. */
export interface Trx {
  get<Name extends TableName>(table: Name, id: string): Tables[Name] | undefined;
  /** All rows, newest first. */
  newestFirst<Name extends TableName>(table: Name): Tables[Name][];
  keys(table: TableName): string[];
  put<Name extends TableName>(table: Name, id: string, row: Tables[Name]): void;
  remove(table: TableName, id: string): void;
}

export interface Store extends Pick<Trx, 'get' | 'newestFirst'> {
  entries<Name extends TableName>(table: Name): IterableIterator<[string, Tables[Name]]>;
  /**
   * Runs `work` to its end: its writes reach the file together, all or none. A throw undoes them, unless
   * `keeps` says that this very throw is an outcome to remember (a declined card is one).
   */
  transact<Result>(work: (trx: Trx) => Result, keeps?: (thrown: unknown) => boolean): Result;
  /** Resolves when every transaction so far is on disk. */
  durable(): Promise<void>;
  close(): Promise<void>;
}

/** Opens the stand-in's memory: maps in RAM, filled from `file` and written through to it. */
export function openStore(file: string): Store {
  const rows = openRowFile(file, 'Stripe stand-in');
  const maps = Object.fromEntries(TABLE_NAMES.map((name) => [name, new Map()])) as unknown as Maps;

  function apply([table, id, row]: Change): void {
    // The one place where rows lose their type: they were typed when they were written.
    const map = maps[table as TableName] as Map<string, unknown> | undefined;
    if (row === null) map?.delete(id);
    else map?.set(id, row);
  }
  for (const row of rows.rows) apply(row);

  const get: Trx['get'] = (table, id) => maps[table].get(id);
  const keys: Trx['keys'] = (table) => [...maps[table].keys()];
  const newestFirst: Trx['newestFirst'] = (table) => [...maps[table].values()].reverse();

  function transact<Result>(work: (trx: Trx) => Result, keeps: (thrown: unknown) => boolean = () => false): Result {
    const changes: Change[] = [];
    const undo: Change[] = [];
    function write(table: TableName, id: string, row: unknown): void {
      undo.push([table, id, maps[table].get(id) ?? null]);
      changes.push([table, id, row]);
      apply([table, id, row]);
    }
    const trx: Trx = { get, keys, newestFirst, put: write, remove: (table, id) => write(table, id, null) };
    try {
      return work(trx);
    } catch (error) {
      if (!keeps(error)) {
        changes.length = 0;
        for (const change of undo.reverse()) apply(change);
      }
      throw error;
    } finally {
      rows.write(changes);
    }
  }

  function forgetOld({ remove }: Trx): void {
    const now = Date.now();
    for (const [id, row] of maps.idempotency_keys)
      if (row.createdAtMs < now - KEEP_ANSWERS_MS) remove('idempotency_keys', id);
    const waiting = new Set([...maps.deliveries.values()].map((row) => row.eventId));
    const oldest = now / 1000 - KEEP_EVENTS_SECONDS;
    for (const [id, row] of maps.events) if (row.created < oldest && !waiting.has(id)) remove('events', id);
    for (const [id, row] of maps.notices)
      if (Date.parse(row.created) < oldest * 1000 && !waiting.has(id)) remove('notices', id);
    for (const table of ['account_links', 'login_links'] as const)
      for (const [token, row] of maps[table]) if (row.expiresAt < now / 1000) remove(table, token);
  }
  transact(forgetOld);
  const tidying = setInterval(() => transact(forgetOld), TIDY_MS).unref();

  return {
    get,
    newestFirst,
    entries: (table) => maps[table].entries(),
    transact,
    durable: rows.durable,
    close: () => {
      clearInterval(tidying);
      return rows.close();
    },
  };
}
