import { sql } from 'kysely';
import pg from 'pg';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { transactAtOnce } from './at-once.ts';
import { connect, isUnavailable, type Connection } from './db.ts';

let database: TestDatabase;
let connection: Connection;

beforeEach(async () => {
  database = await createTestDatabase();
  connection = connect(database.url, { connections: 1 });
});

afterEach(async () => {
  await connection.close();
  await database.drop();
});

const adding = (id: string, name = id) => ({
  text: 'INSERT INTO categories (id, name) VALUES ($1, $2) RETURNING id, pg_current_xact_id()::text AS at',
  values: [id, name],
});
const FIRST = { text: "SELECT count(*)::integer AS count FROM categories WHERE id LIKE 'once%'", values: [] };

const countOf = async (): Promise<number> => {
  const [row] = await transactAtOnce<{ count: number }>(connection.db, [FIRST]);
  return row?.count ?? Number.NaN;
};

test('all statements are one transaction, and the rows are those of the last', async () => {
  for (const round of [1, 2, 3]) {
    const rows = await transactAtOnce<{ id: string; at: string }>(connection.db, [
      adding(`once-${round}-a`),
      adding(`once-${round}-b`),
    ]);
    expect(rows).toMatchObject([{ id: `once-${round}-b` }]);
  }
  const { rows } = await sql<{ at: string }>`
    SELECT DISTINCT xmin::text AS at FROM categories WHERE id LIKE 'once%'`.execute(connection.db);
  expect(rows).toHaveLength(3);
});

/** Until each statement is prepared on the connection. */
const prepare = async (): Promise<void> => {
  for (const round of [1, 2, 3]) {
    await transactAtOnce(connection.db, [adding(`before-${round}`)]);
    await countOf();
  }
};

test('what is prepared is asked in one message', async () => {
  await prepare();
  const asked = vi.spyOn(pg.Client.prototype, 'query');
  const rows = await transactAtOnce<{ id: string }>(connection.db, [adding('once-a'), FIRST, adding('once-b')]);
  expect(asked).toHaveBeenCalledTimes(1);
  asked.mockRestore();
  expect(rows).toMatchObject([{ id: 'once-b' }]);
  expect(await countOf()).toBe(2);
  const { rows: times } = await sql`SELECT DISTINCT xmin FROM categories WHERE id LIKE 'once%'`.execute(connection.db);
  expect(times).toHaveLength(1);
});

test.each([0, 1, 2, 3, 4, 5])(
  'where one of three fails nothing was done, and the connection is as good as before (%i)',
  async (n) => {
    const place = n % 3;
    if (n >= 3) await prepare();
    const statements = [adding('once-a'), adding('once-b'), adding('once-c')];
    statements[place] = adding('once-x', '');
    await expect(transactAtOnce(connection.db, statements)).rejects.toMatchObject({ code: '23514' });
    expect(await countOf()).toBe(0);
    await transactAtOnce(connection.db, [adding('once-a')]);
    expect(await countOf()).toBe(1);
  },
);

test('inside a transaction the statements are part of it', async () => {
  const undone = connection.db.transaction().execute(async (trx) => {
    const rows = await transactAtOnce<{ id: string }>(trx, [adding('once-a'), adding('once-b')]);
    expect(rows).toMatchObject([{ id: 'once-b' }]);
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  expect(await countOf()).toBe(0);
});

test('what was prepared before a migration is done all the same, once', async () => {
  const asking = { text: 'SELECT * FROM categories WHERE id = $1', values: ['once-late'] };
  for (const round of [1, 2, 3]) await transactAtOnce(connection.db, [adding(`once-${round}`), asking]);
  await sql`ALTER TABLE categories ADD COLUMN late text DEFAULT 'late'`.execute(connection.db);
  await expect(transactAtOnce(connection.db, [adding('once-late'), asking])).resolves.toMatchObject([{ late: 'late' }]);
  expect(await countOf()).toBe(4);
});

test('a connection that breaks is an outage, and the next transaction has another', async () => {
  const breaking = { text: 'SELECT pg_terminate_backend(pg_backend_pid())', values: [] };
  await expect(transactAtOnce(connection.db, [adding('once-a'), breaking])).rejects.toSatisfy(isUnavailable);
  expect(await countOf()).toBe(0);
});
