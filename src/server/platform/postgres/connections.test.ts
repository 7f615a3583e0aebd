import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { connect, isTooBusy, isUnavailable, type Connection, type Db } from './db.ts';
import { queryPipelined } from './query.ts';

let database: TestDatabase;
let connection: Connection;

const opened = async (options: Parameters<typeof connect>[1]): Promise<Connection['db']> => {
  await connection?.close();
  connection = connect(database.url, options);
  return connection.db;
};

beforeEach(async () => {
  database = await createTestDatabase();
  connection = connect(database.url, { connections: 4 });
});

afterEach(async () => {
  await connection.close();
  await database.drop();
});

const ECHO = 'SELECT $1::integer AS number, pg_backend_pid() AS pid';
const SLEEP = 'SELECT pg_sleep($1::float8)';

const echo = async (number: number): Promise<{ number: number; pid: number } | undefined> =>
  (await queryPipelined<{ number: number; pid: number }>(connection.db, ECHO, [number]))[0];

test('many statements at once are each answered with their own rows, on the connection that is shared', async () => {
  const numbers = Array.from({ length: 500 }, (_, n) => n);
  const rows = await Promise.all(numbers.map(echo));
  expect(rows.map((row) => row?.number)).toEqual(numbers);
  expect(new Set(rows.map((row) => row?.pid)).size).toBe(1);
});

test('a quarter of the connections is shared, at most three; the rest are for one at a time', async () => {
  await opened({ connections: 8 });
  const rows = await Promise.all(Array.from({ length: 100 }, (_, n) => echo(n)));
  expect(new Set(rows.map((row) => row?.pid)).size).toBe(2);
  await Promise.all(Array.from({ length: 20 }, () => sql`SELECT pg_sleep(0.05)`.execute(connection.db)));
  expect(connection.pool()).toMatchObject({ idle: 6, waiting: 0 });
});

test('a statement inside a transaction runs there', async () => {
  const inside = await connection.db
    .transaction()
    .execute((trx) => queryPipelined<{ at: string }>(trx, 'SELECT pg_current_xact_id()::text AS at', []));
  expect(inside[0]?.at).toMatch(/^\d+$/);
});

test('who is not the first on a shared connection counts as waiting', async () => {
  const all = Promise.all(Array.from({ length: 5 }, () => queryPipelined(connection.db, SLEEP, [0.02])));
  expect(connection.pool().waiting).toBe(4);
  await all;
  expect(connection.pool().waiting).toBe(0);
});

test('an error is that of its own statement alone, prepared or not', async () => {
  const divide = (by: number) =>
    queryPipelined<{ half: number }>(connection.db, 'SELECT 10 / $1::integer AS half', [by]);
  for (let round = 0; round < 3; round += 1) {
    const settled = await Promise.allSettled([divide(2), divide(0), divide(5), divide(0), divide(1)]);
    expect(settled.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
  }
});

test('what is under way on a connection that breaks is an outage, and the next statement opens another', async () => {
  const before = await echo(1);
  const underWay = [queryPipelined(connection.db, SLEEP, [1]), echo(2), echo(3)];
  const settled = Promise.all(underWay.map((one) => one?.then(() => 'answered', isUnavailable)));
  await sql`SELECT pg_terminate_backend(${before?.pid})`.execute(connection.db);
  expect(await settled).toEqual([true, true, true]);
  const after = await echo(4);
  expect(after?.number).toBe(4);
  expect(after?.pid).not.toBe(before?.pid);
});

test('a connection that is silent is given up though more is asked of it all the time, and the next is a new one', async () => {
  await opened({ connections: 4, silenceMs: 400 });
  const before = await echo(1);
  const hanging = queryPipelined(connection.db, SLEEP, [20]);
  const asking = setInterval(() => void echo(2).catch(() => {}), 150);
  await expect(hanging).rejects.toSatisfy(isUnavailable);
  clearInterval(asking);
  await expect.poll(async () => (await echo(3).catch(() => undefined))?.number).toBe(3);
  expect((await echo(3))?.pid).not.toBe(before?.pid);
});

test('a statement goes where the fewest are under way, so that one that stands still does not keep all waiting', async () => {
  await opened({ connections: 8 });
  await Promise.all([echo(1), echo(2)]);
  let isOver = false;
  const standing = queryPipelined(connection.db, SLEEP, [1.5]).then(() => (isOver = true));
  for (let n = 0; n < 50; n += 1) expect((await echo(n))?.number).toBe(n);
  expect(isOver).toBe(false);
  await standing;
});

test('closing waits for what was asked', async () => {
  const last = Promise.all([
    queryPipelined(connection.db, SLEEP, [0.1]),
    ...Array.from({ length: 30 }, (_, n) => echo(n)),
  ]);
  await new Promise((resolve) => setTimeout(resolve, 50));
  await connection.close();
  expect((await last).at(-1)).toMatchObject({ number: 29 });
});

test('a database that takes connections and says nothing is away, and nobody waits longer than for a connection', async () => {
  const silent = createServer(() => {}).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const mute = connect(`postgres://nobody@127.0.0.1:${port}/none`, { connections: 4 });
  const asked = Array.from({ length: 30 }, (_, n) => queryPipelined(mute.db, ECHO, [n]));
  const others = Array.from({ length: 30 }, () => sql`SELECT 1`.execute(mute.db));
  const ended = await Promise.allSettled([...asked, ...others]);
  const errors = ended.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  expect(errors.filter(isUnavailable)).toHaveLength(60);
  // Those who could not even begin to connect wait for a connection; the others know that there is nobody.
  expect(errors.filter((error) => !isTooBusy(error)).length).toBeGreaterThan(30);
  await mute.close();
  silent.close();
});

test('where all connections are in use for too long the database is busy, not away', async () => {
  await opened({ connections: 1, timeouts: false });
  const using = sql`SELECT pg_sleep(2.5)`.execute(connection.db);
  const refused = await sql`SELECT 1`.execute(connection.db).catch((error: unknown) => error);
  expect([isTooBusy(refused), isUnavailable(refused)]).toEqual([true, true]);
  await using;
});

test('a database that is away is told, and found again once it is there', async () => {
  const away = connect('postgres://nobody@127.0.0.1:9/none', { connections: 4 });
  await expect(queryPipelined(away.db, ECHO, [1])).rejects.toSatisfy(isUnavailable);
  await expect(queryPipelined(away.db, ECHO, [1])).rejects.toSatisfy(isUnavailable);
  await away.close();
});

const pidOf = async (db: Db): Promise<number | undefined> =>
  (await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(db)).rows[0]?.pid;

test('a connection to what became a replica is an outage, and is not used again', async () => {
  const db = await opened({ connections: 1 });
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
  const db = await opened({ connections: 1, silenceMs: 800 });
  const before = await pidOf(db);
  const began = performance.now();
  const hanging = db.transaction().execute((trx) => sql`SELECT pg_sleep(20)`.execute(trx));
  await expect(hanging).rejects.toSatisfy(isUnavailable);
  // One silence and not a second one for the rollback; nor does the database's own limit end it.
  expect(performance.now() - began).toBeLessThan(1_500);
  expect(await pidOf(db)).not.toBe(before);
});

test('a connection that nobody asks anything may be silent for ever', async () => {
  const db = await opened({ connections: 1, silenceMs: 200 });
  const before = await pidOf(db);
  await new Promise((resolve) => setTimeout(resolve, 700));
  expect(await pidOf(db)).toBe(before);
});

test('an error of a statement costs no connection', async () => {
  const db = await opened({ connections: 1 });
  const before = await pidOf(db);
  await expect(sql`SELECT 1 / 0`.execute(db)).rejects.not.toSatisfy(isUnavailable);
  expect(await pidOf(db)).toBe(before);
});

test.each([
  { timeouts: true, expected: '2s 1s 5s' },
  { timeouts: false, expected: '0 0 0' },
])('limits of requests: $timeouts', async ({ timeouts, expected }) => {
  const { rows } = await sql<{ limits: string }>`
    SELECT concat_ws(' ', current_setting('statement_timeout'), current_setting('lock_timeout'),
                     current_setting('idle_in_transaction_session_timeout')) AS limits`.execute(
    await opened({ timeouts }),
  );
  expect(rows[0]?.limits).toBe(expected);
});

test('short statements are not compiled, and memory is taken for where pages lie', async () => {
  const { rows } = await sql<{ jit: string; cost: string }>`
    SELECT current_setting('jit') AS jit, current_setting('random_page_cost') AS cost`.execute(connection.db);
  expect(rows).toEqual([{ jit: 'off', cost: '1.1' }]);
});
