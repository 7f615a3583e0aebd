import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { connect, type Connection } from './db.ts';
import { ask, askLong, askShort } from './statement.ts';

let database: TestDatabase;
let connection: Connection;

beforeEach(async () => {
  database = await createTestDatabase();
  connection = connect(database.url, { connections: 6 });
});

afterEach(async () => {
  await connection.close();
  await database.drop();
});

const SLEEP = 'SELECT pg_sleep($1::float8)';

test('long statements have a third of the connections, take turns, and keep nothing else waiting', async () => {
  let ended = 0;
  const all = Promise.all(
    Array.from({ length: 6 }, () => askLong(connection.db, SLEEP, [0.3]).then(() => (ended += 1))),
  );
  await expect.poll(() => connection.pool()).toMatchObject({ busy: 2, waiting: 4 });
  await Promise.all([
    ask(connection.db, SLEEP, [0]),
    ask(connection.db, SLEEP, [0]),
    askShort(connection.db, SLEEP, [0]),
  ]);
  expect(ended).toBe(0);
  await all;
  expect(ended).toBe(6);
  expect(connection.pool()).toMatchObject({ busy: 0, waiting: 0 });
});

test('a turn is given back where a long statement fails', async () => {
  for (let round = 0; round < 5; round += 1) {
    await expect(askLong(connection.db, 'SELECT 1 / $1::integer', [0])).rejects.toThrow('division by zero');
  }
  await expect(askLong(connection.db, 'SELECT 1 AS one', [])).resolves.toEqual([{ one: 1 }]);
});

test('inside a transaction a long statement waits for nobody', async () => {
  const outside = Promise.all([askLong(connection.db, SLEEP, [0.2]), askLong(connection.db, SLEEP, [0.2])]);
  const inside = connection.db
    .transaction()
    .execute((trx) => askLong<{ at: string }>(trx, 'SELECT pg_current_xact_id()::text AS at', []));
  await expect(inside).resolves.toMatchObject([{ at: expect.stringMatching(/^\d+$/) as string }]);
  await outside;
});
