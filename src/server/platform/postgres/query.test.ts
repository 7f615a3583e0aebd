import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { connect, isContention, type Connection, type Db } from './db.ts';
import { prepared, query, queryLimited, queryPipelined, queryPrepared } from './query.ts';

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
    Array.from({ length: 6 }, () => queryLimited(connection.db, SLEEP, [0.3]).then(() => (ended += 1))),
  );
  await expect.poll(() => connection.pool()).toMatchObject({ busy: 2, waiting: 4 });
  await Promise.all([
    query(connection.db, SLEEP, [0]),
    query(connection.db, SLEEP, [0]),
    queryPipelined(connection.db, SLEEP, [0]),
  ]);
  expect(ended).toBe(0);
  await all;
  expect(ended).toBe(6);
  expect(connection.pool()).toMatchObject({ busy: 0, waiting: 0 });
});

test('a turn is given back where a long statement fails', async () => {
  for (let round = 0; round < 5; round += 1) {
    await expect(queryLimited(connection.db, 'SELECT 1 / $1::integer', [0])).rejects.toThrow('division by zero');
  }
  await expect(queryLimited(connection.db, 'SELECT 1 AS one', [])).resolves.toEqual([{ one: 1 }]);
});

test('inside a transaction a long statement waits for nobody', async () => {
  const outside = Promise.all([queryLimited(connection.db, SLEEP, [0.2]), queryLimited(connection.db, SLEEP, [0.2])]);
  const inside = connection.db
    .transaction()
    .execute((trx) => queryLimited<{ at: string }>(trx, 'SELECT pg_current_xact_id()::text AS at', []));
  await expect(inside).resolves.toMatchObject([{ at: expect.stringMatching(/^\d+$/) as string }]);
  await outside;
});

describe('a statement that is prepared', () => {
  const onOne = async (): Promise<Db> => {
    await connection.close();
    connection = connect(database.url, { connections: 1 });
    await sql`CREATE TABLE things (id integer, name text)`.execute(connection.db);
    await sql`INSERT INTO things VALUES (1, 'one'), (2, 'two')`.execute(connection.db);
    return connection.db;
  };

  const namesOf = async (part: string): Promise<string[]> => {
    const { rows } = await sql<{ name: string }>`SELECT name FROM pg_prepared_statements
      WHERE statement LIKE ${`%${part}%`} AND name <> ''`.execute(connection.db);
    return rows.map(({ name }) => name.replace(/_\d+$/, ''));
  };

  test('is so once a connection, in text, by the builder and in transactions alike; others are not', async () => {
    const db = await onOne();
    const text = prepared('thing', 'SELECT name FROM things WHERE id = $1 /* text */');
    for (const id of [1, 2, 1, 2]) {
      const builder = db.selectFrom('categories').select('id').where('id', '=', `none ${id}`);
      expect(await queryPrepared(db, 'by_builder', builder)).toEqual([]);
      const inside = await db.transaction().execute((trx) => query<{ name: string }>(trx, text, [id]));
      expect([await query(db, text, [id]), inside]).toEqual(Array(2).fill([{ name: id === 1 ? 'one' : 'two' }]));
      await query(db, 'SELECT name FROM things WHERE id = $1 /* plain */', [id]);
    }
    expect(await Promise.all(['/* text */', '"categories"', '/* plain */'].map(namesOf))).toEqual([
      ['thing'],
      ['by_builder'],
      [],
    ]);
  });

  test('and does not fit its table after a migration is prepared again, and a transaction is to be tried again', async () => {
    const db = await onOne();
    const text = prepared('all_things', 'SELECT * FROM things WHERE id = $1');
    for (let time = 0; time < 3; time += 1) await query(db, text, [1]);
    await sql`ALTER TABLE things ADD COLUMN more integer DEFAULT 7`.execute(db);
    expect(await query(db, text, [1])).toEqual([{ id: 1, name: 'one', more: 7 }]);
    await sql`ALTER TABLE things ADD COLUMN most integer DEFAULT 8`.execute(db);
    await expect(db.transaction().execute((trx) => query(trx, text, [1]))).rejects.toSatisfy(isContention);
    expect(await query(db, text, [1])).toEqual([{ id: 1, name: 'one', more: 7, most: 8 }]);
  });

  test('and cannot be is refused alone, on a shared connection too', async () => {
    const text = prepared('late', 'SELECT $1::integer AS n FROM late');
    const late = (n: number) => queryPipelined<{ n: number }>(connection.db, text, [n]);
    const refused = await Promise.allSettled([late(1), queryPipelined(connection.db, SLEEP, [0])]);
    expect(refused).toMatchObject([{ status: 'rejected', reason: { code: '42P01' } }, { status: 'fulfilled' }]);
    await sql`CREATE TABLE late AS SELECT 1`.execute(connection.db);
    expect(await Promise.all([late(4), late(5)])).toEqual([[{ n: 4 }], [{ n: 5 }]]);
  });
});
