// From 100,000 listings to millions: INSERT … SELECT without the secondary indexes, which are made again afterwards.
import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import type pg from 'pg';
import { withClient, type BenchDatabase } from './database.ts';

const CHUNK_ROWS = 100_000;
/** Sessions that insert at once; each row's words are computed, which takes a core. */
const AT_ONCE = 2;
/** Room for sorting while the indexes are made, for the log of writes, and for what the run itself adds. */
const SPARE_SHARE = 1.6;
const SPARE_BYTES = 3e9;

/** The disk would run full. */
export class NoSpace extends Error {
  override readonly name = 'NoSpace';
}

const gb = (bytes: number): string => `${(bytes / 1e9).toFixed(1)} GB`;

/**
 * Rejects with a sentence unless the disk of the database has room for so many listings, by what the present ones take.
 */
export const requireSpace = (base: BenchDatabase, books: number): Promise<void> =>
  withClient(base.url, async (client) => {
    const { rows } = await client.query<{ bytes: string; rows: string; folder: string }>(
      `SELECT pg_database_size(current_database()) AS bytes, (SELECT count(*) FROM listings) AS rows,
              current_setting('data_directory') AS folder`,
    );
    const [found] = rows;
    if (found === undefined) throw new Error('The database does not say how large it is.');
    const needed = (Number(found.bytes) / Number(found.rows)) * books * SPARE_SHARE + SPARE_BYTES;
    if (!existsSync(found.folder)) {
      throw new NoSpace(
        `${books.toLocaleString('en-US')} listings need about ${gb(needed)}, and the disk of this server cannot be looked at from here.`,
      );
    }
    const { bavail, bsize } = await statfs(found.folder);
    if (bavail * bsize >= needed) return;
    throw new NoSpace(
      `${books.toLocaleString('en-US')} listings need about ${gb(needed)} of disk, and ${gb(bavail * bsize)} are free where the database lies.`,
    );
  });

/** All that is stored of a copy but its id, its key and what the database computes. */
const COPIED = `seller_id, category_id, title, authors, isbn13, published_year, publisher, image_url, original_cents,
  resale_cents, years_of_use, location, phone, details, condition`;

const INSERT = `INSERT INTO listings (${COPIED}, published_at)
  SELECT ${COPIED}, now() - make_interval(secs => (60 + 700 * random()) * 86400)
  FROM (SELECT * FROM listings WHERE import_key IS NOT NULL LIMIT $1) AS present`;

/**
 * Sessions that load: nothing waits for the disk, and no trigger runs (rows that are copies of checked ones need no
 * check, and there is nobody to tell). Where that right is missing, the table's own triggers are switched off in
 * `withoutIndexes`.
 */
const prepareSession = async (client: pg.Client): Promise<void> => {
  await client.query('SET synchronous_commit = off');
  await client.query(`SET maintenance_work_mem = '512MB'`);
  await client.query('SET max_parallel_maintenance_workers = 2');
  await client.query('SET session_replication_role = replica').catch(() => undefined);
};

/** Takes the secondary indexes away, their definitions kept in the database until they are back. */
const dropIndexes = async (client: pg.Client): Promise<void> => {
  await client.query('CREATE TABLE IF NOT EXISTS bench_indexes (name text PRIMARY KEY, make text NOT NULL)');
  await client.query(
    `INSERT INTO bench_indexes
       SELECT c.relname, coalesce('ALTER TABLE listings ADD CONSTRAINT ' || quote_ident(con.conname) || ' '
              || pg_get_constraintdef(con.oid), pg_get_indexdef(i.indexrelid))
       FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indexrelid
       LEFT JOIN pg_constraint AS con ON con.conindid = i.indexrelid AND con.contype = 'u'
       WHERE i.indrelid = 'listings'::regclass AND NOT i.indisprimary
     ON CONFLICT DO NOTHING`,
  );
  const { rows } = await client.query<{ name: string; make: string }>('SELECT name, make FROM bench_indexes');
  for (const { name, make } of rows) {
    await client.query(
      make.startsWith('ALTER')
        ? `ALTER TABLE listings DROP CONSTRAINT IF EXISTS ${name}`
        : `DROP INDEX IF EXISTS ${name}`,
    );
  }
  await client.query('ALTER TABLE listings DISABLE TRIGGER USER');
};

const makeIndexes = async (client: pg.Client, say: (line: string) => void): Promise<void> => {
  const { rows } = await client.query<{ name: string; make: string }>(
    'SELECT name, make FROM bench_indexes WHERE to_regclass(quote_ident(name)) IS NULL ORDER BY name',
  );
  for (const { name, make } of rows) {
    const startedAt = performance.now();
    await client.query(make);
    say(`  ${name} in ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`);
  }
  await client.query('ALTER TABLE listings ENABLE TRIGGER USER');
  // Nobody noted these copies (shelf_changes in db/migrations/0002-catalog.sql).
  await client.query(`WITH former AS (DELETE FROM shelf_changes)
    INSERT INTO shelf_changes (copies) SELECT count(*) FROM listings WHERE on_shelf`);
  await client.query('DROP TABLE bench_indexes');
};

const countRows = async (client: pg.Client): Promise<number> => {
  const { rows } = await client.query<{ count: number }>('SELECT count(*)::integer AS count FROM listings');
  return rows[0]?.count ?? 0;
};

/** Brings a copy of the base to `books` listings; interrupted, it goes on from what is there. */
export const grow = (database: BenchDatabase, books: number, say: (line: string) => void): Promise<void> =>
  withClient(database.url, async (client) => {
    await prepareSession(client);
    await dropIndexes(client);
    let planned = await countRows(client);
    const insertOn = (url: string): Promise<void> =>
      withClient(url, async (session) => {
        await prepareSession(session);
        while (planned < books) {
          const rows = Math.min(CHUNK_ROWS, books - planned);
          planned += rows;
          const { rowCount } = await session.query(INSERT, [rows]);
          planned -= rows - (rowCount ?? 0);
          if (planned % 1_000_000 < CHUNK_ROWS) say(`  ${planned.toLocaleString('en-US')} rows`);
        }
      });
    await Promise.all(Array.from({ length: AT_ONCE }, () => insertOn(database.url)));
    await makeIndexes(client, say);
    await client.query('RESET session_replication_role').catch(() => undefined);
    await client.query('VACUUM (ANALYZE) listings');
  });
