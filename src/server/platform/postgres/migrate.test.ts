import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, afterEach, describe, expect, test } from 'vitest';
import { ask } from '#test/databases/database-owner.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { withClient } from '#test/databases/with-client.ts';
import { connect } from './db.ts';
import { StartError } from '#server/platform/start-error.ts';
import { knownMigrations, migrate, missingMigrations } from './migrate.ts';

const TABLES = `SELECT string_agg(relname, ' ' ORDER BY relname) FROM pg_class
  WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'`;

describe('a new database', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase({ tables: false });
  });
  afterAll(() => database.drop());

  test('gets everything, from one of several processes that start at once', async () => {
    const done = await Promise.all([1, 2, 3].map(() => migrate(database.url)));
    expect(done.filter((names) => names.length > 0)).toEqual([await knownMigrations()]);
  });

  test('lacks nothing then, and says what it lacks', async () => {
    const { db, close } = connect(database.url, { connections: 1 });
    expect(await missingMigrations(db)).toEqual([]);
    const [last = ''] = (await knownMigrations()).slice(-1);
    await ask(database.url, `DELETE FROM migrations WHERE name = '${last}'`);
    expect(await missingMigrations(db)).toEqual([last]);
    await close();
  });
});

test('a database made by the migrations before the baseline is named in one sentence and left as it is', async () => {
  const database = await createTestDatabase({ tables: false });
  await ask(database.url, 'CREATE TABLE migrations (name text PRIMARY KEY, applied_at timestamptz DEFAULT now())');
  await ask(database.url, `INSERT INTO migrations VALUES ('0001-identity.sql'), ('0004-payments.sql')`);
  const refused = migrate(database.url);
  await expect(refused).rejects.toBeInstanceOf(StartError);
  await expect(refused).rejects.toThrow(
    /^The database was made by a Dogear from before .*: use a new database, or, for a demo, move the folder DATA_DIR away\.$/,
  );
  expect(await ask(database.url, TABLES)).toBe('migrations');
  await database.drop();
});

describe('a migration of a shop that is in use', () => {
  let database: TestDatabase;
  let folder: string;
  beforeEach(async () => {
    database = await createTestDatabase();
    folder = await mkdtemp(path.join(tmpdir(), 'dogear-migrations-'));
  });
  afterEach(async () => {
    await database.drop();
    await rm(folder, { recursive: true });
  });

  const apply = async (files: Record<string, string>): Promise<string[]> => {
    for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text);
    return migrate(database.url, { files: { folder, names: (await readdir(folder)).sort() } });
  };

  test('gives way to who waits for the table as well, and comes again until it is free', async () => {
    await withClient(database.url, async (visitor) => {
      await visitor.query('BEGIN');
      await visitor.query('SELECT FROM listings');
      const applying = apply({ '9001.sql': 'ALTER TABLE listings ADD COLUMN added text;' });
      // Waits behind the migration, which waits for the visitor.
      await expect.poll(() => ask(database.url, WAITING)).toBe('1');
      await ask(database.url, 'SELECT count(*) FROM listings');
      await visitor.query('COMMIT');
      expect(await applying).toEqual(['9001.sql']);
    });
    expect(await apply({})).toEqual([]);
  });

  test('is done whole or not at all', async () => {
    await expect(apply({ '9001.sql': 'ALTER TABLE listings ADD COLUMN added text; SELECT nonsense;' })).rejects.toThrow(
      'migration 9001.sql failed',
    );
    const count = `SELECT count(*) FROM pg_attribute WHERE attrelid = 'listings'::regclass AND attname = 'added'`;
    expect(await ask(database.url, count)).toBe('0');
  });

  test('makes an index while rows are written, and again after it was broken off', async () => {
    const index = `-- concurrent
DROP INDEX CONCURRENTLY IF EXISTS listings_added;
-- the second of two
CREATE INDEX CONCURRENTLY listings_added ON listings (phone);`;
    await ask(database.url, 'CREATE INDEX listings_added ON listings (title)');
    await withClient(database.url, async (writer) => {
      await writer.query('BEGIN');
      await writer.query(`INSERT INTO categories (id, name) VALUES ('new', 'New')`);
      await writer.query('SELECT FROM listings');
      const applying = apply({ '9001.sql': index });
      await sleep(100);
      expect(await ask(database.url, 'SELECT count(*) FROM listings')).toBe('0');
      await writer.query('COMMIT');
      expect(await applying).toEqual(['9001.sql']);
    });
    expect(await ask(database.url, `SELECT pg_get_indexdef('listings_added'::regclass)`)).toContain('(phone)');
  });
});

const WAITING = `SELECT count(*) FROM pg_stat_activity
  WHERE datname = current_database() AND application_name = 'dogear migrations' AND wait_event_type = 'Lock'`;
