import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { connect, isTooBusy, isUnavailable, type Connection } from './db.ts';
import { askShort } from './statement.ts';

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
  (await askShort<{ number: number; pid: number }>(connection.db, ECHO, [number]))[0];

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
    .execute((trx) => askShort<{ at: string }>(trx, 'SELECT pg_current_xact_id()::text AS at', []));
  expect(inside[0]?.at).toMatch(/^\d+$/);
});

test('who waits for a turn is counted with those who wait for a connection', async () => {
  const all = Promise.all(Array.from({ length: 5 }, () => askShort(connection.db, SLEEP, [0.02])));
  expect(connection.pool().waiting).toBe(4);
  await all;
  expect(connection.pool().waiting).toBe(0);
});

test('an error is that of its own statement alone, prepared or not', async () => {
  const divide = (by: number) => askShort<{ half: number }>(connection.db, 'SELECT 10 / $1::integer AS half', [by]);
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

test('a statement whose name was to be given by another that failed is run without it', async () => {
  const late = (n: number) => askShort<{ n: number }>(connection.db, 'SELECT $1::integer AS n FROM late', [n]);
  // Named from the second time on; the first with the name is refused, and the others were sent behind it.
  await expect(late(0)).rejects.toThrow(/late/);
  await expect(late(0)).rejects.toThrow(/late/);
  const refused = await Promise.allSettled([late(1), late(2), late(3)]);
  for (const one of refused) expect(one).toMatchObject({ status: 'rejected', reason: { code: '42P01' } });
  await sql`CREATE TABLE late AS SELECT 1`.execute(connection.db);
  await expect(Promise.all([late(4), late(5)])).resolves.toEqual([[{ n: 4 }], [{ n: 5 }]]);
});

test('what is under way on a connection that breaks is an outage, and the next statement opens another', async () => {
  const before = await echo(1);
  const underWay = [askShort(connection.db, SLEEP, [1]), echo(2), echo(3)];
  const settled = Promise.all(underWay.map((one) => one?.then(() => 'answered', isUnavailable)));
  await sql`SELECT pg_terminate_backend(${before?.pid})`.execute(connection.db);
  expect(await settled).toEqual([true, true, true]);
  const after = await echo(4);
  expect(after?.number).toBe(4);
  expect(after?.pid).not.toBe(before?.pid);
});

test('a connection that is silent is given up though more is asked of it all the time', async () => {
  await opened({ connections: 4, silenceMs: 400 });
  const before = await echo(1);
  const hanging = askShort(connection.db, SLEEP, [20]);
  // Seven may follow it: until the last of them it would be the statement's own limit that ends it.
  const asking = setInterval(() => void echo(2).catch(() => {}), 250);
  await expect(hanging).rejects.toSatisfy(isUnavailable);
  clearInterval(asking);
  await expect.poll(async () => (await echo(3).catch(() => undefined))?.number).toBe(3);
  expect((await echo(3))?.pid).not.toBe(before?.pid);
});

test('a connection that answers one long line of statements is not silent', async () => {
  await opened({ connections: 4, silenceMs: 300 });
  const line = Array.from({ length: 12 }, () => askShort(connection.db, SLEEP, [0.1]));
  await expect(Promise.all(line)).resolves.toHaveLength(12);
});

test('a connection that stands still keeps seven waiting, and the others go by the next one', async () => {
  await opened({ connections: 8 });
  await Promise.all([echo(1), echo(2)]);
  let [isOver, answered] = [false, 0];
  const standing = askShort(connection.db, SLEEP, [1.5]).then(() => (isOver = true));
  const all = Promise.all(Array.from({ length: 100 }, (_, n) => echo(n).then(() => (answered += 1))));
  await expect.poll(() => answered, { interval: 10 }).toBe(93);
  expect(isOver).toBe(false);
  await Promise.all([standing, all]);
  expect([answered, connection.pool().waiting]).toEqual([100, 0]);
});

test('closing waits for what was asked, and for whom waited for a turn', async () => {
  const last = Promise.all([askShort(connection.db, SLEEP, [0.1]), ...Array.from({ length: 30 }, (_, n) => echo(n))]);
  await new Promise((resolve) => setTimeout(resolve, 50));
  await connection.close();
  expect((await last).at(-1)).toMatchObject({ number: 29 });
});

test('a database that takes connections and says nothing is away, for those as well who wait for a turn', async () => {
  const silent = createServer(() => {}).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const mute = connect(`postgres://nobody@127.0.0.1:${port}/none`, { connections: 4 });
  const asked = Array.from({ length: 60 }, (_, n) => askShort(mute.db, ECHO, [n]));
  const errors = (await Promise.allSettled(asked)).flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  expect(errors.filter(isUnavailable)).toHaveLength(60);
  // They did not wait until eight after eight had tried to connect.
  expect(errors.filter(isTooBusy).length).toBeGreaterThan(30);
  await mute.close();
  silent.close();
});

test('a database that is away is told, and found again once it is there', async () => {
  const away = connect('postgres://nobody@127.0.0.1:9/none', { connections: 4 });
  await expect(askShort(away.db, ECHO, [1])).rejects.toSatisfy(isUnavailable);
  await expect(askShort(away.db, ECHO, [1])).rejects.toSatisfy(isUnavailable);
  await away.close();
});
