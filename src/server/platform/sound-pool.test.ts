import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { connect, isUnavailable, type Db } from './db.ts';
import { ask } from './statement.ts';

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
  const { db, close } = connect(database.url, { connections: 1, silenceMs: 800 });
  closers.push(close);
  const before = await pidOf(db);
  const began = performance.now();
  const hanging = db.transaction().execute((trx) => sql`SELECT pg_sleep(20)`.execute(trx));
  await expect(hanging).rejects.toSatisfy(isUnavailable);
  // One silence and not a second one for the rollback; nor does the database's own limit end it.
  expect(performance.now() - began).toBeLessThan(1_500);
  expect(await pidOf(db)).not.toBe(before);
  // What is asked of the pool itself ends so as well.
  await expect(ask(db, 'SELECT pg_sleep(20)', [])).rejects.toSatisfy(isUnavailable);
});

test('a connection that nobody asks anything may be silent for ever', async () => {
  const { db, close } = connect(database.url, { connections: 1, silenceMs: 200 });
  closers.push(close);
  const before = await pidOf(db);
  await new Promise((resolve) => setTimeout(resolve, 700));
  expect(await pidOf(db)).toBe(before);
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
