import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkInvariants } from '#server/payments/reconciliation/invariants.service.ts';
import { connect } from '#server/platform/db.ts';
import { knownMigrations, migrate } from '#server/platform/migrate.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { aSale } from '#test/deal.ts';
import { aBuyer, aListing, aSeller } from '#test/make.ts';
import { MANIFEST } from './manifest.ts';
import { replaceDatabase } from './replace.ts';
import { restoreBackup } from './restore.ts';
import { readTables } from './shape.ts';
import { takeBackup } from './take.ts';
import { withClient } from '#test/with-client.ts';

let t: TestApp;
let folder: string;
const made: Pick<TestDatabase, 'drop'>[] = [];

beforeAll(async () => {
  t = await testApp();
  folder = await mkdtemp(path.join(tmpdir(), 'dogear-backup-'));
});
afterAll(async () => {
  for (const database of made) await database.drop();
  await rm(folder, { recursive: true, force: true });
  await t.close();
});

const anEmptyDatabase = async (): Promise<string> => {
  const database = await createTestDatabase({ tables: false });
  made.push(database);
  return database.url;
};

/** Every row of every table as text, and the next number of every sequence. */
const contentOf = (url: string): Promise<Record<string, unknown>> =>
  withClient(url, async (client) => {
    const content: Record<string, unknown> = {};
    for (const { name } of await readTables(client)) {
      const { rows } = await client.query(`SELECT t::text AS row FROM "${name}" AS t ORDER BY 1`);
      content[name] = rows;
    }
    const { rows } = await client.query('SELECT sequencename, last_value FROM pg_sequences ORDER BY 1');
    return { ...content, sequences: rows };
  });

/** What a database is made of beside its rows: indexes, triggers that fire, constraints. */
const makeOf = (url: string): Promise<unknown[]> =>
  withClient(url, async (client) => {
    const { rows } = await client.query(
      `SELECT indexdef AS what FROM pg_indexes WHERE schemaname = 'public'
       UNION ALL SELECT tgname || ' ' || tgenabled::text FROM pg_trigger WHERE NOT tgisinternal
       UNION ALL SELECT conname || ' ' || pg_get_constraintdef(oid) || convalidated::text FROM pg_constraint ORDER BY 1`,
    );
    return rows;
  });

describe('a backup', () => {
  test('brings back every row, index, trigger and sequence, and a sound shop', async () => {
    await aSale(t);
    await aListing(t, await aSeller(t), { title: 'Tabs\tand\nlines, \\N and “quotes”' });
    const where = path.join(folder, 'whole');
    const manifest = await takeBackup({ url: t.databaseUrl, folder: where });
    const url = await anEmptyDatabase();
    await restoreBackup({ folder: where, url });

    expect(manifest.tables.find(({ name }) => name === 'payments')?.rows).toBe(1);
    expect(await contentOf(url)).toEqual(await contentOf(t.databaseUrl));
    expect(await makeOf(url)).toEqual(await makeOf(t.databaseUrl));
    const { db, close } = connect(url);
    expect((await checkInvariants(db)).filter(({ violations }) => violations > 0)).toEqual([]);
    await close();
  });

  test('is of one moment, whatever is written meanwhile', async () => {
    const where = path.join(folder, 'moment');
    const writeBetween = async (name: string): Promise<void> => {
      if (name !== 'users') return;
      // A person who is not in the saved table of people: with their listing in a later table, nothing could be restored.
      await aListing(t, await aSeller(t), { title: 'Written meanwhile' });
    };
    await takeBackup({ url: t.databaseUrl, folder: where, onTable: writeBetween });
    const url = await anEmptyDatabase();
    await restoreBackup({ folder: where, url });
    const find = (client: pg.Client) => client.query(`SELECT FROM listings WHERE title = 'Written meanwhile'`);
    expect((await withClient(url, find)).rowCount).toBe(0);
    expect((await withClient(t.databaseUrl, find)).rowCount).toBe(1);
  });

  test('can be read by its owner alone', async () => {
    const where = path.join(folder, 'private');
    await takeBackup({ url: t.databaseUrl, folder: where });
    for (const name of [where, ...(await readdir(where)).map((file) => path.join(where, file))]) {
      expect((await stat(name)).mode & 0o077, name).toBe(0);
    }
  });

  test('leaves nothing behind when it is interrupted', async () => {
    const where = path.join(folder, 'interrupted');
    const taking = takeBackup({ url: t.databaseUrl, folder: where, signal: AbortSignal.abort() });
    await expect(taking).rejects.toThrow();
    expect((await readdir(folder)).filter((name) => name.startsWith('interrupted'))).toEqual([]);
  });

  test('does not overwrite another one, and is not made of an empty database', async () => {
    const where = path.join(folder, 'twice');
    await takeBackup({ url: t.databaseUrl, folder: where });
    await expect(takeBackup({ url: t.databaseUrl, folder: where })).rejects.toThrow('There is something at');
    const url = await anEmptyDatabase();
    await expect(takeBackup({ url, folder: path.join(folder, 'none') })).rejects.toThrow('holds no shop');
  });
});

describe('restoring', () => {
  test('refuses a backup of which a byte has changed, and writes nothing', async () => {
    const where = path.join(folder, 'damaged');
    await takeBackup({ url: t.databaseUrl, folder: where });
    const file = path.join(where, 'users.copy.gz');
    const bytes = await readFile(file);
    bytes[bytes.length - 10] = (bytes.at(-10) ?? 0) ^ 1;
    await writeFile(file, bytes);
    const url = await anEmptyDatabase();
    await expect(restoreBackup({ folder: where, url })).rejects.toThrow('is damaged: users.copy.gz');
    expect(await withClient(url, readTables)).toEqual([]);
  });

  test('refuses a database that holds something', async () => {
    const where = path.join(folder, 'onto');
    await takeBackup({ url: t.databaseUrl, folder: where });
    await expect(restoreBackup({ folder: where, url: t.databaseUrl })).rejects.toThrow('not empty');
  });

  test('refuses what a newer release made', async () => {
    const where = path.join(folder, 'newer');
    await takeBackup({ url: t.databaseUrl, folder: where });
    const list = path.join(where, MANIFEST);
    const manifest = JSON.parse(await readFile(list, 'utf8')) as { migrations: string[] };
    manifest.migrations.push('9999-of-tomorrow.sql');
    await writeFile(list, JSON.stringify(manifest));
    await expect(restoreBackup({ folder: where, url: await anEmptyDatabase() })).rejects.toThrow('newer Dogear');
  });

  test('brings a backup of an older release up to date', async () => {
    const old = await anEmptyDatabase();
    const [first = '', ...later] = await knownMigrations();
    await migrate(old, { only: [first] });
    await withClient(old, (client) =>
      client.query(`INSERT INTO users (email, name) VALUES ('old@example.com', 'Old')`),
    );
    const where = path.join(folder, 'older');
    await takeBackup({ url: old, folder: where });
    const url = await anEmptyDatabase();
    await restoreBackup({ folder: where, url });
    const { rows } = await withClient(url, (client) => client.query('SELECT name FROM migrations ORDER BY name'));
    expect(rows.map(({ name }: { name: string }) => name)).toEqual([first, ...later]);
    const people = await withClient(url, (client) => client.query('SELECT email FROM users'));
    expect(people.rows).toEqual([{ email: 'old@example.com' }]);
  });

  test('in place keeps what was there under another name, and changes nothing when the look at it fails', async () => {
    const where = path.join(folder, 'place');
    await takeBackup({ url: t.databaseUrl, folder: where });
    const url = await anEmptyDatabase();
    const options = { folder: where, url };
    await replaceDatabase({ ...options, check: async () => {} });
    const restored = await contentOf(url);
    await withClient(url, (client) =>
      client.query(`INSERT INTO users (email, name) VALUES ('later@example.com', 'Later')`),
    );

    const refusing = replaceDatabase({ ...options, check: () => Promise.reject(new Error('not good')) });
    await expect(refusing).rejects.toThrow('not good');
    expect(Object.keys(restored)).toContain('users');
    expect((await contentOf(url))['users']).toHaveLength((restored['users'] as unknown[]).length + 1);

    const { aside } = await replaceDatabase({ ...options, check: async () => {} });
    expect(await contentOf(url)).toEqual(restored);
    const former = new URL(url);
    former.pathname = `/${aside}`;
    made.push({
      drop: () => withClient(t.databaseUrl, (client) => client.query(`DROP DATABASE "${aside}"`)).then(() => {}),
    });
    const people = await withClient(former.href, (client) =>
      client.query(`SELECT FROM users WHERE email = 'later@example.com'`),
    );
    expect(people.rowCount).toBe(1);
  });

  test('leaves the triggers on: a restored record of the audit cannot be changed', async () => {
    const where = path.join(folder, 'triggers');
    await aBuyer(t);
    await t.db
      .insertInto('audit_entries')
      .values({ actor_id: null, action: 'test', subject_kind: 'test', subject_id: 'x' })
      .execute();
    await takeBackup({ url: t.databaseUrl, folder: where });
    const url = await anEmptyDatabase();
    await restoreBackup({ folder: where, url });
    await expect(withClient(url, (client) => client.query('DELETE FROM audit_entries'))).rejects.toThrow('append-only');
  });
});
