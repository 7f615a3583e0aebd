import { randomInt } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type pg from 'pg';
import { admitRole, roleOf } from './app-role.ts';
import { StartError } from '#server/platform/start-error.ts';
import { crashPoint } from '#server/platform/crash-points.ts';
import { isContention, type Db } from './db.ts';
import { MIGRATIONS_FOLDER } from '#server/platform/release.ts';
import { withClient } from './with-client.ts';

/** Any constant: lets several processes start at once and one of them migrate. */
const ADVISORY_LOCK = 727_001;
const LOOK_AGAIN_MS = 100;
const OLDEST_TESTED_VERSION = 15;
/** Databases from before the migrations became this baseline have one or both of these: a migration, and a table. */
const FORMER = `SELECT EXISTS (SELECT FROM migrations WHERE name = '0004-payments.sql')
  OR to_regclass('line_places') IS NOT NULL AS found`;

/** A file that begins so is not one transaction: for indexes that are made while the shop is used. */
const CONCURRENT = /^-- concurrent\b/;
/** A table that is in use is waited for so long; whoever wants it meanwhile waits behind us. */
const LOCK_TIMEOUT = '2s';
const LOCK_TRIES = 30;
const LOCK_PAUSE_MS = 500;

/** Names of the migrations this release knows, in order: the baseline by domain, then what only adds to it. */
export const knownMigrations = async (): Promise<string[]> =>
  (await readdir(MIGRATIONS_FOLDER)).filter((name) => name.endsWith('.sql')).sort();

/** The migrations of this release that a database lacks. */
export const missingMigrations = async (db: Db): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`SELECT name FROM migrations`.execute(db);
  const applied = new Set(rows.map(({ name }) => name));
  return (await knownMigrations()).filter((name) => !applied.has(name));
};

const requireVersion = async (client: pg.Client): Promise<void> => {
  const { rows } = await client.query<{ server_version: string }>('SHOW server_version');
  const version = rows[0]?.server_version ?? '';
  if (parseInt(version, 10) >= OLDEST_TESTED_VERSION) return;
  throw new StartError(`The database is PostgreSQL ${version}, but ${OLDEST_TESTED_VERSION} or newer is needed.`);
};

/**
 * Waits until no other process migrates. By asking again: an index made concurrently would wait for a waiting
 * statement.
 */
const lockOthersOut = async (client: pg.Client): Promise<void> => {
  const ask = { text: 'SELECT pg_try_advisory_lock($1) AS ours', values: [ADVISORY_LOCK] };
  while ((await client.query<{ ours: boolean }>(ask)).rows[0]?.ours !== true) await sleep(LOOK_AGAIN_MS);
};

/** The migrations that the database has; refuses one that was made by the files before the baseline. */
const readApplied = async (client: pg.Client): Promise<Set<string>> => {
  await client.query(
    'CREATE TABLE IF NOT EXISTS migrations (name text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())',
  );
  const { rows } = await client.query<{ name: string }>('SELECT name FROM migrations');
  const applied = new Set(rows.map(({ name }) => name));
  if ((await client.query<{ found: boolean }>(FORMER)).rows[0]?.found !== true) return applied;
  throw new StartError(
    'The database was made by a Dogear from before its migrations began anew: use a new database, or, for a demo, move ' +
      'the folder DATA_DIR away.',
  );
};

/**
 * Concurrent statements run by themselves. Broken off, all are run again from the first: they must drop before they
 * make.
 */
const applyOne = async (client: pg.Client, name: string, text: string): Promise<void> => {
  const [apart, together] = CONCURRENT.test(text) ? [text.replaceAll(/^\s*--.*$/gm, '').split(';'), ''] : [[], text];
  for (const statement of apart.filter((one) => one.trim() !== '')) await client.query(statement);
  try {
    await client.query(`BEGIN; SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'`);
    await client.query(together);
    crashPoint('migration-halfway');
    await client.query('INSERT INTO migrations (name) VALUES ($1)', [name]);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
};

/** Asks again where a table is in use: the shop goes on for a moment, nothing was done. */
const applyPatiently = async (client: pg.Client, name: string, text: string): Promise<void> => {
  for (let n = 1; ; n += 1) {
    try {
      return await applyOne(client, name, text);
    } catch (error) {
      if (!isContention(error) || n >= LOCK_TRIES) throw new Error(`migration ${name} failed`, { cause: error });
      await sleep(LOCK_PAUSE_MS + randomInt(LOCK_PAUSE_MS));
    }
  }
};

export interface MigrateOptions {
  /** The role that will work on the tables, where that is another than their owner. */
  readonly admit?: string;
  /** These files of that folder and no others, instead of this release's. */
  readonly files?: { readonly folder: string; readonly names: readonly string[] };
}

/** Brings the database up to this release, one transaction a file, forward only; answers the names it applied. */
export const migrate = (url: string, options: MigrateOptions = {}): Promise<string[]> =>
  withClient(url, { name: 'migrations' }, async (client) => {
    await requireVersion(client);
    await lockOthersOut(client);
    const applied = await readApplied(client);
    const { folder, names } = options.files ?? { folder: MIGRATIONS_FOLDER, names: await knownMigrations() };
    const fresh = names.filter((name) => !applied.has(name));
    for (const name of fresh) await applyPatiently(client, name, await readFile(path.join(folder, name), 'utf8'));
    if (options.admit !== undefined) await admitRole(client, options.admit);
    return fresh;
  });

/** How the shop reaches its database. */
export interface DatabaseRoles {
  /** As the role that the shop works as. */
  readonly url: string;
  /** As the owner of the tables, for migrations; absent: `url` does both. */
  readonly migrateUrl: string | undefined;
}

/**
 * Brings the database up to this release as its owner, and gives the shop's role what it needs of it and no more;
 * answers the names of the migrations it applied.
 */
export const bringUpToDate = async ({ url, migrateUrl }: DatabaseRoles): Promise<string[]> => {
  if (migrateUrl === undefined) return migrate(url);
  const [role, owner] = await Promise.all([roleOf(url), roleOf(migrateUrl)]);
  return migrate(migrateUrl, role === owner ? {} : { admit: role });
};
