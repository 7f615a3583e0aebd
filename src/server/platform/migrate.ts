import { randomInt } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { admitRole } from './app-role.ts';
import { crashPoint } from './crash-points.ts';
import { isContention, type Db } from './db.ts';
import { MIGRATIONS_FOLDER } from './release.ts';

/** Any constant: lets several processes start at once and one of them migrate, and keeps a backup and a migration apart. */
export const ADVISORY_LOCK = 727_001;

/** Names of the migrations this release knows, in order. */
export const knownMigrations = async (): Promise<string[]> =>
  (await readdir(MIGRATIONS_FOLDER)).filter((name) => name.endsWith('.sql')).sort();

/** How often it is looked whether another process has migrated. */
const LOOK_AGAIN_MS = 100;

/** The oldest release we test on. */
const OLDEST_VERSION = 150_000;

/** A feature of PostgreSQL that this server lacks, in the form the driver reports one (SQLSTATE 0A000). */
class TooOld extends Error {
  readonly code = '0A000';
}

const requireVersion = async (client: pg.Client): Promise<void> => {
  const { rows } = await client.query<{ number: string; text: string }>(
    `SELECT current_setting('server_version_num') AS number, current_setting('server_version') AS text`,
  );
  const [version] = rows;
  if (version === undefined || Number(version.number) < OLDEST_VERSION) {
    throw new TooOld(`this is PostgreSQL ${version?.text ?? '?'}, but 15 or newer is needed`);
  }
};

/**
 * Brings the database up to this release, one transaction a file (but for those that begin with `-- concurrent`), forward only; answers the names it applied. What begins with
 * `-- later` waits until an hour after the others and until no release before is at work (`isAlone`), but in a shop that is `new`: nobody serves from it. `only` stops at an earlier release, whose migrations those
 * are. `admit` is the role that will work on the tables, where that is another than their owner. `folder` holds the files, where it is not this release's.
 */
export const migrate = async (
  connectionString: string,
  options: {
    readonly only?: readonly string[];
    readonly admit?: string;
    readonly folder?: string;
    readonly new?: boolean;
  } = {},
): Promise<string[]> => {
  const client = new pg.Client({ connectionString, application_name: 'dogear migrations' });
  await client.connect();
  try {
    await requireVersion(client);
    await lockOut(client);
    await client.query(
      'CREATE TABLE IF NOT EXISTS migrations (name text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())',
    );
    const { rows } = await client.query<{ name: string; isOld: boolean }>(
      'SELECT name, applied_at < now() - $1::interval AS "isOld" FROM migrations',
      [LATER_MEANS],
    );
    const applied = new Set(rows.map((row) => row.name));
    const wanted = options.only ?? (await knownMigrations());
    const folder = options.folder ?? MIGRATIONS_FOLDER;
    const mayWait = options.only === undefined && options.new !== true && applied.size > 0;
    const fresh: string[] = [];
    let isLongAgo = rows.every(({ isOld }) => isOld);
    for (const name of wanted.filter((one) => !applied.has(one))) {
      const statements = await readFile(path.join(folder, name), 'utf8');
      if (mayWait && LATER.test(statements)) {
        if (!isLongAgo || !(await applyLater(client, name, statements))) continue;
      } else {
        await applyOne(client, name, statements);
        isLongAgo = false;
      }
      fresh.push(name);
    }
    if (options.admit !== undefined) await admitRole(client, options.admit);
    return fresh;
  } finally {
    await client.end();
  }
};

/** The migrations of this release that a database lacks and that it needs: what waits until later is none of them. */
export const missingMigrations = async (db: Db): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`SELECT name FROM migrations`.execute(db);
  const applied = new Set(rows.map(({ name }) => name));
  const lacking: string[] = [];
  for (const name of await knownMigrations()) {
    if (!applied.has(name) && !LATER.test(await readFile(path.join(MIGRATIONS_FOLDER, name), 'utf8')))
      lacking.push(name);
  }
  return lacking;
};

/** A file that begins so takes away what the releases before still ask for. */
const LATER = /^-- (?:concurrent, )?later\b/;
/** So long after the others, whose connections may not tell what they are behind a pooler. */
const LATER_MEANS = '1 hour';

/** Whether no connection tells that it belongs to a release that does not know the migration `name` (`connectionName`; those before there were numbers have none). */
const isAlone = async (client: pg.Client, name: string): Promise<boolean> => {
  const { rows } = await client.query<{ alone: boolean }>(
    `SELECT NOT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name ~ '^dogear( news)?( [0-9]{4})?$'
       AND coalesce(substring(application_name FROM '[0-9]{4}$'), '') < left($1, 4)) AS alone`,
    [name],
  );
  return rows[0]?.alone === true;
};

/** Applies it if it can be now; nobody waits for it: what it needs may be in use, and there will be another start. */
const applyLater = async (client: pg.Client, name: string, statements: string): Promise<boolean> => {
  if (!(await isAlone(client, name))) return false;
  await client.query(`SET lock_timeout = '${LOCK_TIMEOUT}'`);
  try {
    await applyOne(client, name, statements, 1);
    return true;
  } catch (error) {
    if (error instanceof Error && isContention(error.cause)) return false;
    throw error;
  } finally {
    await client.query('RESET lock_timeout');
  }
};

/** A file that begins so is not one transaction: for indexes that are made while the shop is used. */
const CONCURRENT = /^-- concurrent\b/;
/** A table that is in use is waited for so long; whoever wants it meanwhile waits behind us. */
const LOCK_TIMEOUT = '2s';
const LOCK_TRIES = 30;
const LOCK_PAUSE_MS = 500;

const withoutComments = (statements: string): string => statements.replace(/^\s*--.*$/gm, '');

/** Each statement by itself. Broken off, all are run again from the first: they must drop before they make. */
const applyConcurrently = async (client: pg.Client, name: string, statements: string): Promise<void> => {
  for (const statement of withoutComments(statements).split(';')) {
    if (statement.trim() !== '') await client.query(statement);
  }
  crashPoint('migration-halfway');
  await client.query('INSERT INTO migrations (name) VALUES ($1)', [name]);
};

const applyAtOnce = async (client: pg.Client, name: string, statements: string): Promise<void> => {
  await client.query('BEGIN');
  try {
    await client.query(`SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'`);
    await client.query(statements);
    crashPoint('migration-halfway');
    await client.query('INSERT INTO migrations (name) VALUES ($1)', [name]);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
};

const applyOne = async (client: pg.Client, name: string, statements: string, tries = LOCK_TRIES): Promise<void> => {
  const apply = CONCURRENT.test(statements) ? applyConcurrently : applyAtOnce;
  for (let n = 1; ; n += 1) {
    try {
      return await apply(client, name, statements);
    } catch (error) {
      if (!isContention(error) || n >= tries) throw new Error(`migration ${name} failed`, { cause: error });
      // The shop goes on for a moment, then we ask again: nothing was done.
      await sleep(LOCK_PAUSE_MS + randomInt(LOCK_PAUSE_MS));
    }
  }
};

/**
 * Waits until no other process migrates. By asking again and again: a statement that waits is a transaction, for whose end an index that is made
 * concurrently would wait.
 */
const lockOut = async (client: pg.Client): Promise<void> => {
  for (;;) {
    const { rows } = await client.query<{ ours: boolean }>('SELECT pg_try_advisory_lock($1) AS ours', [ADVISORY_LOCK]);
    if (rows[0]?.ours === true) return;
    await sleep(LOOK_AGAIN_MS);
  }
};
