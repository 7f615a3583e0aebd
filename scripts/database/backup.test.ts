import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkInvariants } from '#server/payments/reconciliation/invariants.service.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { ask } from '#test/databases/database-owner.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { aSale } from '#test/deal.ts';
import { aListing, aSeller } from '#test/make.ts';
import { hasClientFor, withPgDump } from '#test/databases/postgres-client.ts';
import { withClient } from '#test/databases/with-client.ts';
import { restoreBackup, takeBackup } from './backup.ts';
import type { DatabaseRoles } from '#server/platform/postgres/migrate.ts';
import { connect } from '#server/platform/postgres/db.ts';

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

const here = (): DatabaseRoles => ({ url: t.databaseUrl, migrateUrl: undefined });

const anEmptyDatabase = async (): Promise<DatabaseRoles & { migrateUrl: string }> => {
  const database = await createTestDatabase({ tables: false });
  made.push(database);
  return { url: database.appUrl, migrateUrl: database.url };
};

const sound = async (url: string): Promise<void> => {
  const { db, close } = connect(url);
  expect((await checkInvariants(db)).filter(({ violations }) => violations > 0)).toEqual([]);
  await close();
};

const namesOf = async (url: string): Promise<string[]> => {
  const { pathname } = new URL(url);
  return (await ask(url, `SELECT string_agg(datname, ' ') FROM pg_database WHERE datname ~ '^${pathname.slice(1)}'`))
    .split(' ')
    .toSorted();
};

/** Every row of every table as text, the next number of every sequence, and what there is beside rows. */
const contentOf = (url: string): Promise<Record<string, unknown>> =>
  withClient(url, async (client) => {
    const { rows: tables } = await client.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'`,
    );
    const content: Record<string, unknown> = {};
    for (const { name } of tables) {
      content[name] = (await client.query(`SELECT t::text AS row FROM "${name}" AS t ORDER BY 1`)).rows;
    }
    const { rows: beside } = await client.query(
      `SELECT indexdef AS what FROM pg_indexes WHERE schemaname = 'public'
       UNION ALL SELECT tgname || ' ' || tgenabled::text FROM pg_trigger WHERE NOT tgisinternal
       UNION ALL SELECT conname || ' ' || pg_get_constraintdef(oid) || convalidated::text FROM pg_constraint
       UNION ALL SELECT sequencename || ' ' || coalesce(last_value, 0) FROM pg_sequences ORDER BY 1`,
    );
    return { ...content, beside };
  });

describe('without a client of PostgreSQL that is new enough', () => {
  test('where there is none, one sentence says what to install', async () => {
    const file = path.join(folder, 'none.dump');
    await withPgDump(undefined, () =>
      expect(takeBackup(here(), file)).rejects.toThrow(
        /^pg_dump is not here: install PostgreSQL's client programs.*; a demo can be stopped and its folder .*copied.*\.$/,
      ),
    );
    expect((await readdir(folder)).filter((name) => name.startsWith('none'))).toEqual([]);
  });

  test('where it is too old, one sentence says so, with both versions', async () => {
    const file = path.join(folder, 'old.dump');
    const complaint =
      'pg_dump: error: aborting because of server version mismatch\n' +
      'pg_dump: detail: server version: 18.4; pg_dump version: 15.20 (Debian 15.20-0+deb12u1)';
    await withPgDump(`echo '${complaint}' >&2; exit 1`, () =>
      expect(takeBackup(here(), file)).rejects.toThrow(
        /^pg_dump is too old \(server version: 18\.4; pg_dump version: 15\.20\): install .* as new as the server .*\.$/,
      ),
    );
    expect((await readdir(folder)).filter((name) => name.startsWith('old'))).toEqual([]);
  });

  test('what else it says is told in its own words', async () => {
    await withPgDump(`echo 'pg_dump: error: no room' >&2; exit 1`, () =>
      expect(takeBackup(here(), path.join(folder, 'full.dump'))).rejects.toThrow('pg_dump: no room.'),
    );
  });
});

describe('a backup', () => {
  let saved: string;
  let reason: string | undefined;
  beforeAll(async () => {
    if (!(await hasClientFor(t.databaseUrl))) reason = 'pg_dump is missing here, or older than the server of the tests';
    if (reason !== undefined) return;
    await aSale(t);
    await aListing(t, await aSeller(t), { title: 'Tabs\tand\nlines, \\N and “quotes”' });
    await t.db
      .insertInto('audit_entries')
      .values({ actor_id: null, action: 'test', subject_kind: 'test', subject_id: 'x' })
      .execute();
    saved = path.join(folder, 'deep/saved.dump');
    await takeBackup(here(), saved);
  });

  /** A test of what needs the client. */
  const check = (name: string, work: () => Promise<void>): void =>
    test(name, async ({ skip }) => (reason === undefined ? work() : skip(reason)));

  check('brings back every row, index, trigger and sequence, and a sound shop', async () => {
    const roles = await anEmptyDatabase();
    expect(await restoreBackup({ file: saved, roles, replace: false, check: sound })).toBeUndefined();
    expect(await contentOf(roles.migrateUrl)).toEqual(await contentOf(t.databaseUrl));
    expect(await namesOf(roles.migrateUrl)).toHaveLength(1);
  });

  check('lets the role of the shop in again, with its rights and no more', async () => {
    const roles = await anEmptyDatabase();
    await restoreBackup({ file: saved, roles, replace: false, check: sound });
    expect(Number(await ask(roles.url, 'SELECT count(*) FROM payments'))).toBeGreaterThan(0);
    await ask(roles.url, "INSERT INTO categories (id, name) VALUES ('new', 'New')");
    await expect(ask(roles.url, 'DELETE FROM audit_entries')).rejects.toThrow('permission denied');
    await expect(ask(roles.url, 'CREATE TABLE mine (id integer)')).rejects.toThrow('permission denied');
    await expect(ask(roles.migrateUrl, 'DELETE FROM audit_entries')).rejects.toThrow('append-only');
  });

  check('can be read by its owner alone, and is not overwritten', async () => {
    expect((await stat(saved)).mode & 0o077).toBe(0);
    expect((await stat(path.dirname(saved))).mode & 0o077).toBe(0);
    await expect(takeBackup(here(), saved)).rejects.toThrow('There is something at');
    expect(await readdir(path.dirname(saved))).toEqual(['saved.dump']);
  });

  check('is not made of an empty database', async () => {
    const taking = takeBackup(await anEmptyDatabase(), path.join(folder, 'empty.dump'));
    await expect(taking).rejects.toThrow('holds no shop');
  });

  check('of which a byte has changed is refused, and leaves nothing behind', async () => {
    const damaged = path.join(folder, 'damaged.dump');
    const bytes = await readFile(saved);
    const middle = Math.floor(bytes.length / 2);
    await writeFile(damaged, Buffer.concat([bytes.subarray(0, middle), bytes.subarray(middle + 1)]));
    const roles = await anEmptyDatabase();
    await expect(restoreBackup({ file: damaged, roles, replace: false, check: sound })).rejects.toThrow(
      /^pg_restore: /,
    );
    expect(await namesOf(roles.migrateUrl)).toHaveLength(1);
    expect(Object.keys(await contentOf(roles.migrateUrl))).toEqual(['beside']);
  });

  check('does not replace a shop without being told, and keeps it aside when told', async () => {
    const roles = await anEmptyDatabase();
    await restoreBackup({ file: saved, roles, replace: false, check: sound });
    await ask(roles.migrateUrl, `INSERT INTO users (email, name) VALUES ('later@example.com', 'Later')`);
    const former = await contentOf(roles.migrateUrl);
    const refused = restoreBackup({ file: saved, roles, replace: false, check: sound });
    await expect(refused).rejects.toThrow(/is not empty: --replace/);

    const bad = (): Promise<void> => Promise.reject(new Error('not sound'));
    await expect(restoreBackup({ file: saved, roles, replace: true, check: bad })).rejects.toThrow('not sound');
    expect(await contentOf(roles.migrateUrl)).toEqual(former);
    expect(await namesOf(roles.migrateUrl)).toHaveLength(1);

    const inUse = withClient(roles.migrateUrl, () =>
      restoreBackup({ file: saved, roles, replace: true, check: sound }),
    );
    await expect(inUse).rejects.toThrow(/being accessed by other users/);
    expect(await contentOf(roles.migrateUrl)).toEqual(former);

    const aside = await restoreBackup({ file: saved, roles, replace: true, check: sound });
    expect(await contentOf(roles.migrateUrl)).toEqual(await contentOf(t.databaseUrl));
    const kept = new URL(roles.migrateUrl);
    kept.pathname = `/${aside}`;
    made.push({ drop: async () => void (await ask(t.databaseUrl, `DROP DATABASE "${aside}"`)) });
    expect(await contentOf(kept.href)).toEqual(former);
  });

  check('that pg_restore has filled a database with is looked at and put in its place', async () => {
    const roles = await anEmptyDatabase();
    const name = new URL(roles.migrateUrl).pathname.slice(1);
    await ask(roles.migrateUrl, `CREATE DATABASE ${name}_restore TEMPLATE template0 ENCODING 'UTF8'`);
    const target = new URL(roles.migrateUrl);
    target.pathname = `/${name}_restore`;
    const options = ['--no-owner', '--no-privileges', '--exit-on-error'];
    expect(spawnSync('pg_restore', [...options, `--dbname=${target.href}`, saved]).status).toBe(0);
    await restoreBackup({ roles, replace: false, check: sound });
    expect(await contentOf(roles.migrateUrl)).toEqual(await contentOf(t.databaseUrl));
  });
});
