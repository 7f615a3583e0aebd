import { readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '#server/platform/config.ts';
import { openShop } from '#server/shop.ts';
import { ask, makeWorkshop } from '#test/databases/database-owner.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { APP_ROLE, mayChangeTables, roleOf } from './app-role.ts';
import { bringUpToDate } from './migrate.ts';
import { startEmbeddedPostgres } from '#server/platform/demo/embedded-postgres.ts';

const DENIED = /permission denied|must be owner|must be superuser/;

/** What would change the schema, or the rights on it. */
const FORBIDDEN = [
  'CREATE TABLE mine (id integer)',
  'CREATE TEMPORARY TABLE mine (id integer)',
  'CREATE FUNCTION mine() RETURNS integer LANGUAGE sql AS $$ SELECT 1 $$',
  'CREATE SCHEMA mine',
  'CREATE EXTENSION dblink',
  'CREATE ROLE mine SUPERUSER',
  'ALTER TABLE users ADD COLUMN mine text',
  'ALTER TABLE holds DROP CONSTRAINT holds_pkey',
  'ALTER TABLE ledger_entries DISABLE TRIGGER ALL',
  'DROP TABLE users',
  'DROP INDEX bookings_one_paid_a_copy',
  'DROP TRIGGER audit_entries_append_only ON audit_entries',
  'TRUNCATE listings CASCADE',
  "COPY (SELECT 1) TO PROGRAM 'true'",
  "SELECT pg_read_file('/etc/passwd')",
  "INSERT INTO migrations (name) VALUES ('mine')",
  'DELETE FROM migrations',
  "SET session_replication_role = 'replica'",
];

/** Append-only: nobody but the owner could take the triggers away, and without them there is still no right. */
const COLUMN: Record<string, string> = {
  audit_entries: 'action',
  ledger_transactions: 'kind',
  ledger_entries: 'account',
  provider_events: 'id',
};

const refusalsOf = async (url: string, statements: readonly string[]): Promise<string[]> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const allowed: string[] = [];
  for (const statement of statements) {
    await client.query('BEGIN');
    await client.query(statement).then(
      () => allowed.push(statement),
      (error: Error) => {
        if (!DENIED.test(error.message)) allowed.push(`${statement}: ${error.message}`);
      },
    );
    await client.query('ROLLBACK');
  }
  await client.end();
  return allowed;
};

/** How many relations, functions and schemas of a database a role owns. */
const ownedBy = (role: string): string =>
  `SELECT (SELECT count(*) FROM pg_class WHERE relowner = '${role}'::regrole)
        + (SELECT count(*) FROM pg_proc WHERE proowner = '${role}'::regrole)
        + (SELECT count(*) FROM pg_namespace WHERE nspowner = '${role}'::regrole)
        + (SELECT count(*) FROM pg_database WHERE datdba = '${role}'::regrole)`;

describe('the role that the shop works as', () => {
  let database: TestDatabase;
  let role: string;
  beforeAll(async () => {
    database = await createTestDatabase();
    role = await roleOf(database.appUrl);
    await bringUpToDate({ url: database.appUrl, migrateUrl: database.url });
  });
  afterAll(() => database.drop());

  test('owns nothing and cannot change the schema', async () => {
    expect(await refusalsOf(database.appUrl, FORBIDDEN)).toEqual([]);
    expect(await ask(database.url, ownedBy(role))).toBe('0');
    expect(await mayChangeTables(database.appUrl)).toBe(false);
    expect(await mayChangeTables(database.url)).toBe(true);
  });

  test('may only append to what is append-only, and delete no payment', async () => {
    const statements = [
      ...Object.keys(COLUMN).flatMap((table) => [
        `DELETE FROM ${table}`,
        `UPDATE ${table} SET ${COLUMN[table]} = DEFAULT`,
      ]),
      'DELETE FROM payments',
      'DELETE FROM refunds',
    ];
    expect(await refusalsOf(database.appUrl, statements)).toEqual([]);
  });

  test('is given what a later migration makes, and keeps no right it once had too many', async () => {
    await ask(database.url, 'CREATE TABLE later (id bigint GENERATED ALWAYS AS IDENTITY, note text)');
    await ask(database.url, `GRANT ALL ON audit_entries TO ${role}`);
    await ask(database.url, `GRANT CREATE ON SCHEMA public TO ${role}`);
    expect(await refusalsOf(database.appUrl, ['CREATE TABLE mine (id integer)'])).toEqual([
      'CREATE TABLE mine (id integer)',
    ]);
    await bringUpToDate({ url: database.appUrl, migrateUrl: database.url });
    expect(await ask(database.appUrl, "INSERT INTO later (note) VALUES ('kept') RETURNING note")).toBe('kept');
    expect(await refusalsOf(database.appUrl, ['CREATE TABLE mine (id integer)', 'DELETE FROM audit_entries'])).toEqual(
      [],
    );
  });

  test('is admitted once by many processes that start at the same time', async () => {
    const roles = { url: database.appUrl, migrateUrl: database.url };
    expect(await Promise.all(Array.from({ length: 5 }, () => bringUpToDate(roles)))).toEqual([[], [], [], [], []]);
  });
});

describe('the embedded database', () => {
  const workshop = makeWorkshop();
  afterEach(workshop.tidy);
  afterAll(workshop.close);

  test('of a folder from before has the role at the next start of the shop, which works as it', async () => {
    const dataDir = path.join(workshop.folder(), 'data');
    const before = await startEmbeddedPostgres({ dataDir, log: () => {} });
    // As an earlier release left it: tables, goods, one role.
    await bringUpToDate({ url: before.url, migrateUrl: undefined });
    await ask(before.url, `DROP ROLE ${APP_ROLE}`);
    await ask(before.url, "INSERT INTO categories (id, name) VALUES ('kept', 'Kept')");
    await before.stop();

    const shop = await openShop(readConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'silent' }), () => {});
    try {
      const { url } = JSON.parse(readFileSync(path.join(dataDir, 'owner.json'), 'utf8')) as { url: string };
      const users = `SELECT string_agg(DISTINCT usename::text, ',') FROM pg_stat_activity
        WHERE application_name ~ '^dogear (listen )?[0-9]'`;
      expect(await ask(url, users)).toBe(APP_ROLE);
      expect(await ask(url, ownedBy(APP_ROLE))).toBe('0');
      expect(await refusalsOf(url.replace('dogear@', `${APP_ROLE}@`), FORBIDDEN)).toEqual([]);
      expect(await ask(url, "SELECT name FROM categories WHERE id = 'kept'")).toBe('Kept');
    } finally {
      await shop.close();
    }
  });
});
