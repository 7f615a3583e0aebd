// Backups are what pg_dump writes in its custom format: this runs PostgreSQL's client programs as the owner of the
// tables.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { bringUpToDate, type DatabaseRoles } from '#server/platform/postgres/migrate.ts';
import { withClient } from '#server/platform/postgres/with-client.ts';

/** Why a backup cannot be made or restored: one sentence for whoever asked for it. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}

const INSTALL =
  "install PostgreSQL's client programs, as new as the server (https://www.postgresql.org/download/); " +
  'a demo can be stopped and its folder DATA_DIR copied instead';

/** Runs pg_dump or pg_restore. Throws `BackupError` with its own reason when it fails. */
const run = async (program: string, args: readonly string[], url?: string): Promise<void> => {
  const target = new URL(url ?? 'postgres:');
  // The password goes by the environment: everybody on the machine can read a command line.
  const password = target.password === '' ? {} : { PGPASSWORD: decodeURIComponent(target.password) };
  target.password = '';
  const to = url === undefined ? [] : ['--no-password', `--dbname=${target.href}`];
  const env = { ...process.env, ...password, LC_ALL: 'C' };
  const child = spawn(program, [...args, ...to], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let complaint = '';
  child.stderr.on('data', (text: Buffer) => void (complaint += text.toString()));
  const [code] = await once(child, 'close').catch((error: Error) => {
    throw error.message.includes('ENOENT') ? new BackupError(`${program} is not here: ${INSTALL}.`) : error;
  });
  const [mismatch] = /server version: [\d.]+.*; pg_dump version: [\d.]+/.exec(complaint) ?? [];
  if (mismatch !== undefined) throw new BackupError(`pg_dump is too old (${mismatch}): ${INSTALL}.`);
  if (code !== 0) throw new BackupError(`${program}: ${/error: (.*)/.exec(complaint)?.[1] ?? complaint.trim()}.`);
};

const query = (url: string, text: string): Promise<pg.QueryResult> =>
  withClient(url, { name: 'backup' }, (client) => client.query(text));

/** Whether anybody has made a table in the database, in whatever schema. */
const isUsed = async (url: string): Promise<boolean> =>
  (await query(url, 'SELECT FROM pg_class WHERE oid >= 16384 LIMIT 1')).rowCount === 1;

/**
 * Saves the whole shop as of one moment, while it is running, and reads the file again. It has its name only when all
 * of it is there.
 */
export const takeBackup = async ({ url: app, migrateUrl: url = app }: DatabaseRoles, file: string): Promise<void> => {
  if (existsSync(file)) throw new BackupError(`There is something at ${file} already: name another file.`);
  if (!(await isUsed(url))) throw new BackupError('There is nothing to save: this database holds no shop.');
  const part = `${file}.part`;
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  try {
    await writeFile(part, '', { mode: 0o600 });
    await run('pg_dump', ['--format=custom', `--file=${part}`], url);
    await run('pg_restore', ['--file=/dev/null', part]);
    await rename(part, file);
  } finally {
    await rm(part, { force: true });
  }
};

const withName = (url: string, name: string): string => {
  const changed = new URL(url);
  changed.pathname = `/${encodeURIComponent(name)}`;
  return changed.href;
};

export interface RestoreOptions {
  /** Absent: the database NAME_restore beside the shop's was filled by pg_restore already. */
  readonly file?: string | undefined;
  readonly roles: DatabaseRoles;
  /** Whether a shop that is there may be put aside. */
  readonly replace: boolean;
  /** Throws when the shop in the restored database is not sound. */
  readonly check: (url: string) => Promise<void>;
}

/**
 * Restores a backup beside the shop's database, brings it up to this release, and gives it that database's name once
 * `check` found it sound; answers the name that a former shop has then. When it fails, all is as it was before.
 */
export const restoreBackup = async (options: RestoreOptions): Promise<string | undefined> => {
  const { url, migrateUrl: owner = url } = options.roles;
  const name = decodeURIComponent(new URL(owner).pathname.slice(1));
  const [fresh, aside] = [`${name}_restore`, `${name}_before_${new Date().toISOString().replaceAll(/\D/g, '')}`];
  const freshUrl = withName(owner, fresh);
  const administer = (text: string): Promise<unknown> =>
    query(withName(owner, 'postgres'), text).catch((error: unknown) => {
      if (!(error instanceof pg.DatabaseError)) throw error;
      throw new BackupError(`The database ${name} cannot be replaced: ${error.message}.`);
    });
  const wasUsed = await isUsed(owner);
  if (wasUsed && !options.replace) throw new BackupError(`The database ${name} is not empty: --replace puts it aside.`);
  try {
    if (options.file !== undefined) {
      await administer(`DROP DATABASE IF EXISTS "${fresh}"`);
      await administer(`CREATE DATABASE "${fresh}" TEMPLATE template0 ENCODING 'UTF8'`);
      // All belongs to whoever restores it; the shop's role gets its rights by what each start gives it.
      await run('pg_restore', ['--exit-on-error', '--no-owner', '--no-privileges', options.file], freshUrl);
    }
    await bringUpToDate({ url: withName(url, fresh), migrateUrl: freshUrl });
    await query(freshUrl, 'ANALYZE');
    await options.check(freshUrl);
    // One message of two statements is one transaction.
    await administer(`ALTER DATABASE "${name}" RENAME TO "${aside}"; ALTER DATABASE "${fresh}" RENAME TO "${name}"`);
  } catch (error) {
    await administer(`DROP DATABASE IF EXISTS "${fresh}"`).catch(() => {});
    throw error;
  }
  if (wasUsed) return aside;
  await administer(`DROP DATABASE "${aside}"`);
};
