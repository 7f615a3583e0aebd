import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { connect, isContention, type Connection } from './db.ts';
import { createStatementNames } from './named-statements.ts';
import { ask } from './statement.ts';

describe('names', () => {
  test('are given to what comes twice, and stay', () => {
    const names = createStatementNames();
    expect(names.nameOf('SELECT 1')).toBeUndefined();
    const name = names.nameOf('SELECT 1');
    expect(name).toBeDefined();
    expect(names.nameOf('SELECT 1')).toBe(name);
    names.nameOf('SELECT 2');
    expect(names.nameOf('SELECT 2')).not.toBe(name);
    names.forget('SELECT 1');
    names.nameOf('SELECT 1');
    expect(names.nameOf('SELECT 1')).not.toBe(name);
  });

  test.each([
    'BEGIN',
    'SAVEPOINT a',
    'SELECT a WHERE b @@ $1::tsquery',
    'SELECT a WHERE b LIKE $1',
    `SELECT ${'x'.repeat(10_001)}`,
  ])('are not for %.40s', (text) => {
    const names = createStatementNames();
    names.nameOf(text);
    expect(names.nameOf(text)).toBeUndefined();
  });

  test('are few, whatever is asked, and the first ones keep theirs', () => {
    const names = createStatementNames();
    const twice = (text: string) => [names.nameOf(text), names.nameOf(text)][1];
    const first = twice('SELECT 0');
    const given = Array.from({ length: 5_000 }, (_, place) => twice(`SELECT ${place + 1}`)).filter(Boolean);
    expect(given.length).toBeLessThan(400);
    expect(names.nameOf('SELECT 0')).toBe(first);
  });
});

describe('on a connection', () => {
  let database: TestDatabase;
  let connection: Connection;
  beforeEach(async () => {
    database = await createTestDatabase();
    connection = connect(database.url, { connections: 1 });
    await sql`CREATE TABLE things (id integer, name text)`.execute(connection.db);
    await sql`INSERT INTO things VALUES (1, 'one'), (2, 'two')`.execute(connection.db);
  });
  afterEach(async () => {
    await connection.close();
    await database.drop();
  });

  const prepared = async (part: string): Promise<number> => {
    const { rows } = await sql<{ n: number }>`SELECT count(*)::integer AS n FROM pg_prepared_statements
      WHERE statement LIKE ${`%${part}%`}`.execute(connection.db);
    return rows[0]?.n ?? 0;
  };

  test('what is asked again is prepared once, in text, by the builder and in transactions alike', async () => {
    const { db } = connection;
    for (const id of [1, 2, 1, 2]) {
      const rows = [
        ...(await ask<{ name: string }>(db, 'SELECT name FROM things WHERE id = $1 /* text */', [id])),
        ...(await sql<{ name: string }>`SELECT name FROM things WHERE id = ${id} /* builder */`.execute(db)).rows,
        ...(await db
          .transaction()
          .execute((trx) => ask<{ name: string }>(trx, 'SELECT name FROM things WHERE id = $1 /* inside */', [id]))),
      ];
      const name = id === 1 ? 'one' : 'two';
      expect(rows).toEqual([{ name }, { name }, { name }]);
    }
    expect(await Promise.all(['/* text */', '/* builder */', '/* inside */'].map(prepared))).toEqual([1, 1, 1]);
  });

  test('a table that a migration changed is read on, and a transaction is to be tried again', async () => {
    const { db } = connection;
    const text = 'SELECT * FROM things WHERE id = $1';
    const read = (on = db) => ask(on, text, [1]);
    for (let time = 0; time < 3; time += 1) await read();
    await sql`ALTER TABLE things ADD COLUMN more integer DEFAULT 7`.execute(db);
    expect(await read()).toEqual([{ id: 1, name: 'one', more: 7 }]);
    for (let time = 0; time < 3; time += 1) await read();
    await sql`ALTER TABLE things ADD COLUMN most integer DEFAULT 8`.execute(db);
    await expect(db.transaction().execute((trx) => read(trx))).rejects.toSatisfy(isContention);
    expect(await db.transaction().execute((trx) => read(trx))).toEqual([{ id: 1, name: 'one', more: 7, most: 8 }]);
  });

  test('short statements are not compiled, and memory is taken for where pages lie', async () => {
    const rows = await ask<{ jit: string; cost: string }>(
      connection.db,
      "SELECT current_setting('jit') AS jit, current_setting('random_page_cost') AS cost",
      [],
    );
    expect(rows).toEqual([{ jit: 'off', cost: '1.1' }]);
  });
});
