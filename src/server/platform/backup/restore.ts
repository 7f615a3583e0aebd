import { createReadStream } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { knownMigrations, migrate } from '#server/platform/migrate.ts';
import { BackupError, verifyBackup, type Manifest, type SavedTable } from './manifest.ts';
import { quoted, readMigrations, readPlainIndexes, readTables } from './shape.ts';

export interface RestoreOptions {
  readonly folder: string;
  /** A connection string of an empty database, by the role that shall own the tables. */
  readonly url: string;
  readonly signal?: AbortSignal;
  readonly onTable?: (name: string, rows: number) => void;
}

const connected = async <T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client({ connectionString: url, application_name: 'dogear restore' });
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
};

const fill = async (client: pg.Client, folder: string, table: SavedTable, signal?: AbortSignal): Promise<void> => {
  const columns = table.columns.map((column) => quoted(column)).join(', ');
  const into = client.query(copyFrom(`COPY ${quoted(table.name)} (${columns}) FROM STDIN`));
  await pipeline([createReadStream(path.join(folder, table.file)), createGunzip(), into], { signal });
  if (into.rowCount !== table.rows) {
    throw new BackupError(`${table.name} has ${into.rowCount} rows in the database and ${table.rows} in the backup.`);
  }
};

/** Fills empty tables in one transaction: all of it is there afterwards, or nothing. */
const fillAll = async (client: pg.Client, manifest: Manifest, options: RestoreOptions): Promise<void> => {
  await client.query('BEGIN');
  // What is checked at the end of a transaction would be in the way of switching the triggers on again.
  await client.query('SET CONSTRAINTS ALL IMMEDIATE');
  const there = new Set((await readTables(client)).map(({ name }) => name));
  const missing = manifest.tables.filter(({ name }) => !there.has(name));
  if (missing.length > 0) throw new BackupError(`The database has no table ${missing[0]?.name}.`);
  const names = [...there].map((name) => quoted(name));
  const indexes = await readPlainIndexes(client);
  for (const { name } of indexes) await client.query(`DROP INDEX ${quoted(name)}`);
  // What they would do was done when the rows were written for the first time.
  for (const name of names) await client.query(`ALTER TABLE ${name} DISABLE TRIGGER USER`);
  for (const table of manifest.tables) {
    await fill(client, options.folder, table, options.signal);
    options.onTable?.(table.name, table.rows);
  }
  for (const { definition } of indexes) await client.query(definition);
  for (const name of names) await client.query(`ALTER TABLE ${name} ENABLE TRIGGER USER`);
  for (const { name, last } of manifest.sequences) {
    if (last !== undefined) await client.query('SELECT setval($1::regclass, $2::bigint)', [quoted(name), last]);
  }
  options.signal?.throwIfAborted();
  await client.query('COMMIT');
};

/**
 * Puts a backup into an empty database: the tables as they were when it was taken, then every migration this release has
 * beyond that. The backup is read whole and compared with its list before anything is written. Throws `BackupError` where
 * the database is not empty, or the backup is damaged or newer than this release.
 */
export const restoreBackup = async (options: RestoreOptions): Promise<Manifest> => {
  const manifest = await verifyBackup(options.folder);
  const known = new Set(await knownMigrations());
  const unknown = manifest.migrations.find((name) => !known.has(name));
  if (unknown !== undefined) {
    throw new BackupError(`This backup was made by a newer Dogear (it has ${unknown}): restore it with that release.`);
  }
  const before = await connected(options.url, readMigrations);
  if (before !== undefined) throw new BackupError('The database is not empty: a backup is restored into a new one.');
  await migrate(options.url, { only: manifest.migrations });
  await connected(options.url, (client) => fillAll(client, manifest, options));
  await migrate(options.url, { new: true });
  await connected(options.url, (client) => client.query('ANALYZE'));
  return manifest;
};
