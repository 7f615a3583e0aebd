import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { connect, isUnavailable, type Database, type Db } from './db.ts';
import { soundPool } from './sound-pool.ts';

let database: TestDatabase;
let closers: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  database = await createTestDatabase();
});

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
  await database.drop();
});

const pidOf = async (db: Db): Promise<number | undefined> =>
  (await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(db)).rows[0]?.pid;

test('a connection to what became a replica is an outage, and is not used again', async () => {
  const { db, close } = connect(database.url, { connections: 1 });
  closers.push(close);
  const before = await pidOf(db);
  // What a session sees of a primary that was demoted.
  await sql`SET default_transaction_read_only = on`.execute(db);
  expect(await pidOf(db)).toBe(before);
  const write = sql`INSERT INTO categories (id, name) VALUES ('late', 'Late')`;
  await expect(db.transaction().execute((trx) => write.execute(trx))).rejects.toSatisfy(isUnavailable);
  expect(await pidOf(db)).not.toBe(before);
  await expect(write.execute(db)).resolves.toBeDefined();
});

test('a connection that falls silent is an outage, its transaction ends at once, and it is not used again', async () => {
  const pool = new pg.Pool({ connectionString: database.url, max: 1, query_timeout: 2_000 });
  // As `connect` does: a connection that was given up may be told of its end long after.
  pool.on('connect', (client) => client.on('error', () => {}));
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool: soundPool(pool) }) });
  closers.push(() => db.destroy());
  const before = await pidOf(db);
  const began = performance.now();
  const hanging = db.transaction().execute((trx) => sql`SELECT pg_sleep(20)`.execute(trx));
  await expect(hanging).rejects.toSatisfy(isUnavailable);
  // One silence and not a second one for the rollback.
  expect(performance.now() - began).toBeLessThan(3_900);
  expect(await pidOf(db)).not.toBe(before);
});

test('an error of a statement costs no connection', async () => {
  const { db, close } = connect(database.url, { connections: 1 });
  closers.push(close);
  const before = await pidOf(db);
  await expect(sql`SELECT 1 / 0`.execute(db)).rejects.not.toSatisfy(isUnavailable);
  expect(await pidOf(db)).toBe(before);
});

test.each([
  { timeouts: true, expected: '2s 1s 5s' },
  { timeouts: false, expected: '0 0 0' },
])('limits of requests: $timeouts', async ({ timeouts, expected }) => {
  const { db, close } = connect(database.url, { timeouts });
  closers.push(close);
  const { rows } = await sql<{ limits: string }>`
    SELECT concat_ws(' ', current_setting('statement_timeout'), current_setting('lock_timeout'),
                     current_setting('idle_in_transaction_session_timeout')) AS limits`.execute(db);
  expect(rows[0]?.limits).toBe(expected);
});
