import { createWriteStream } from 'node:fs';
import { mkdir, open, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { ADVISORY_LOCK } from '#server/platform/migrate.ts';
import { BackupError, MANIFEST, meter, verifyBackup, type Manifest, type SavedTable } from './manifest.ts';
import { quoted, readMigrations, readSequences, readTables, type TableShape } from './shape.ts';

export interface BackupOptions {
  /** A connection string of the database to be saved; the shop may go on using it. */
  readonly url: string;
  /** Made now: where something lies already, nothing is touched. */
  readonly folder: string;
  readonly signal?: AbortSignal;
  /** Told of each table when it is saved, and waited for. */
  readonly onTable?: (name: string, rows: number) => void | Promise<void>;
}

const exists = async (folder: string): Promise<boolean> =>
  open(folder).then(
    async (handle) => handle.close().then(() => true),
    () => false,
  );

/** On disk, and not only in the memory of the system. */
const syncFile = async (file: string): Promise<void> => {
  const handle = await open(file);
  await handle.sync();
  await handle.close();
};

const saveTable = async (
  client: pg.Client,
  folder: string,
  table: TableShape,
  signal?: AbortSignal,
): Promise<SavedTable> => {
  const file = `${table.name}.copy.gz`;
  const target = path.join(folder, file);
  const columns = table.columns.map((column) => quoted(column)).join(', ');
  const rows = client.query(copyTo(`COPY ${quoted(table.name)} (${columns}) TO STDOUT`));
  const plain = meter();
  const packed = meter();
  const parts = [
    rows,
    plain.through,
    createGzip(),
    packed.through,
    createWriteStream(target, { mode: 0o600 }),
  ] as const;
  await pipeline(parts, { signal });
  if (plain.lines() !== rows.rowCount)
    throw new Error(`${table.name}: ${rows.rowCount} rows came as ${plain.lines()} lines`);
  await syncFile(target);
  return { ...table, rows: plain.lines(), file, size: packed.bytes(), sha256: packed.sha256() };
};

const saveAll = async (client: pg.Client, folder: string, options: BackupOptions): Promise<void> => {
  // No release may change the tables meanwhile; those that only read and write go on.
  await client.query('SELECT pg_advisory_lock_shared($1)', [ADVISORY_LOCK]);
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  const migrations = await readMigrations(client);
  if (!migrations?.length) throw new BackupError('There is nothing to save: this database holds no shop.');
  const { rows: about } = await client.query<{ taken_at: Date; postgres: string }>(
    `SELECT now() AS taken_at, split_part(current_setting('server_version'), ' ', 1) AS postgres`,
  );
  const tables: SavedTable[] = [];
  for (const table of await readTables(client)) {
    const saved = await saveTable(client, folder, table, options.signal);
    tables.push(saved);
    await options.onTable?.(saved.name, saved.rows);
  }
  // Sequences stand outside of snapshots: read last, they are at or after every number that was saved.
  const sequences = (await readSequences(client)).map(({ name, last }) => ({ name, last: last ?? undefined }));
  await client.query('COMMIT');
  const manifest: Manifest = {
    format: 1,
    takenAt: about[0]?.taken_at.toISOString() ?? '',
    postgres: about[0]?.postgres ?? '',
    migrations,
    tables,
    sequences,
  };
  const list = path.join(folder, MANIFEST);
  await writeFile(list, `${JSON.stringify(manifest, null, 1)}\n`, { mode: 0o600 });
  await syncFile(list);
};

/**
 * Saves the whole shop as of one moment, while it is running: one snapshot, one COPY a table, compressed, then read again
 * from the disk and compared. The folder has its name only when all of it is there. Throws `BackupError` with a sentence.
 */
export const takeBackup = async (options: BackupOptions): Promise<Manifest> => {
  const { url, folder } = options;
  if (await exists(folder)) throw new BackupError(`There is something at ${folder} already: name another folder.`);
  const part = `${folder}.part`;
  await rm(part, { recursive: true, force: true });
  await mkdir(part, { recursive: true, mode: 0o700 });
  const client = new pg.Client({ connectionString: url, application_name: 'dogear backup' });
  client.on('error', () => {});
  try {
    await client.connect();
    await saveAll(client, part, options);
    const manifest = await verifyBackup(part);
    await syncFile(part);
    await rename(part, folder);
    return manifest;
  } finally {
    await client.end().catch(() => {});
    await rm(part, { recursive: true, force: true });
  }
};
