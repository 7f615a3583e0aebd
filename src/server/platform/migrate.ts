import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { crashPoint } from './crash-points.ts';

const FOLDER = path.join(import.meta.dirname, '../../../db/migrations');
/** Any constant: lets several processes start at once and one of them migrate. */
const ADVISORY_LOCK = 727_001;

/** Names of the migrations this release knows, in order. */
export const knownMigrations = async (): Promise<string[]> =>
  (await readdir(FOLDER)).filter((name) => name.endsWith('.sql')).sort();

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

/** Brings the database up to this release, one transaction a file, forward only; answers the names it applied. */
export const migrate = async (connectionString: string): Promise<string[]> => {
  const client = new pg.Client({ connectionString, application_name: 'dogear migrations' });
  await client.connect();
  try {
    await requireVersion(client);
    await client.query('SELECT pg_advisory_lock($1)', [ADVISORY_LOCK]);
    await client.query(
      'CREATE TABLE IF NOT EXISTS migrations (name text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())',
    );
    const { rows } = await client.query<{ name: string }>('SELECT name FROM migrations');
    const applied = new Set(rows.map((row) => row.name));
    const fresh = (await knownMigrations()).filter((name) => !applied.has(name));
    for (const name of fresh) await applyOne(client, name);
    return fresh;
  } finally {
    await client.end();
  }
};

const applyOne = async (client: pg.Client, name: string): Promise<void> => {
  const sql = await readFile(path.join(FOLDER, name), 'utf8');
  await client.query('BEGIN');
  try {
    await client.query(sql);
    crashPoint('migration-halfway');
    await client.query('INSERT INTO migrations (name) VALUES ($1)', [name]);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw new Error(`migration ${name} failed`, { cause: error });
  }
};
