import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { countRoundTrips } from '#test/databases/round-trips.ts';
import { connect, isUnavailable, type Connection, type Trx } from './db.ts';
import { pipelineTransaction, together } from './query.ts';

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

const add = (trx: Trx, id: string, name = id): Promise<unknown> =>
  trx.insertInto('categories').values({ id, name }).execute();

const added = async (): Promise<string[]> => {
  const rows = await connection.db
    .selectFrom('categories')
    .select('id')
    .where('id', 'like', 'piped%')
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
};

test('what is asked together is one round trip and one transaction, in the order in which it was asked', async () => {
  const counted = await countRoundTrips(database.url);
  const far = connect(counted.url, { connections: 1 });
  const work = (n: number) =>
    pipelineTransaction(
      far.db,
      async (trx) => {
        const [, , { rows }] = await Promise.all([
          add(trx, `piped-${n}`),
          sql`UPDATE categories SET name = ${`changed-${n}`} WHERE id = ${`piped-${n}`}`.execute(trx),
          sql<{
            id: string;
          }>`SELECT id FROM categories WHERE name = ${`changed-${n}`} AND id = ${`piped-${n}`}`.execute(trx),
        ]);
        return rows;
      },
      (trx) => add(trx, `piped-${n}-last`),
    );
  for (const n of [1, 2]) expect(await work(n)).toEqual([{ id: `piped-${n}` }]);
  // The statements, and the last one with the commit.
  expect(await counted.during(() => work(3))).toBe(2);
  await far.close();
  await counted.close();
  const { rows } = await sql`SELECT DISTINCT xmin FROM categories WHERE id LIKE 'piped-3%'`.execute(connection.db);
  expect(rows).toHaveLength(1);
});

test.each([0, 1, 2, 3])(
  'an error in the middle leaves nothing done and the connection usable (statement %i)',
  async (wrong) => {
    // Until they are prepared, and after.
    for (let round = 0; round < 4; round += 1) {
      const ids = ['a', 'b', 'c'].map((end) => `piped-${end}`);
      const failing = pipelineTransaction(
        connection.db,
        (trx) => Promise.all(ids.map((id, place) => add(trx, id, place === wrong ? '' : id))),
        (trx) => add(trx, 'piped-last', wrong === 3 ? '' : 'last'),
      );
      await expect(failing).rejects.toMatchObject({ code: '23514' });
      expect(await added()).toEqual([]);
    }
    await pipelineTransaction(connection.db, (trx) => Promise.all([add(trx, 'piped-a'), add(trx, 'piped-b')]));
    expect(await added()).toEqual(['piped-a', 'piped-b']);
  },
);

test('what fails and is not told of is not committed', async () => {
  const silent = pipelineTransaction(connection.db, (trx) =>
    Promise.allSettled([add(trx, 'piped-a'), add(trx, 'piped-b', '')]),
  );
  await expect(silent).rejects.toThrow();
  expect(await added()).toEqual([]);
});

test('a transaction that is over takes no more, and what comes late does not run by itself', async () => {
  let over: Trx | undefined;
  await pipelineTransaction(connection.db, async (trx) => {
    over = trx;
    await add(trx, 'piped-a');
  });
  await expect(over && add(over, 'piped-late')).rejects.toThrow('over');
  const late = Promise.withResolvers<unknown>();
  const lateIsRefused = expect(late.promise).rejects.toThrow('over');
  const refused = pipelineTransaction(connection.db, async (trx) => {
    late.resolve(
      sql`SELECT pg_sleep(0.05)`
        .execute(trx)
        .catch(() => {})
        .then(() => add(trx, 'piped-late')),
    );
    throw new Error('refused');
  });
  await expect(refused).rejects.toThrow('refused');
  await lateIsRefused;
  expect(await added()).toEqual(['piped-a']);
});

test.each(['pipelined', 'ordinary'])('steps asked together are all done or none, in a %s transaction', async (kind) => {
  const within = (work: (trx: Trx) => Promise<unknown>): Promise<unknown> =>
    kind === 'pipelined' ? pipelineTransaction(connection.db, work) : connection.db.transaction().execute(work);
  const step = (trx: Trx, id: string, value?: string) => async () => {
    await add(trx, id, value);
    // Steps may go on after an answer.
    await add(trx, `${id}-more`);
    return id;
  };
  for (const wrong of ['piped-a', 'piped-b', 'piped-c']) {
    const failing = within((trx) =>
      together(trx, ...['piped-a', 'piped-b', 'piped-c'].map((id) => step(trx, id, id === wrong ? '' : undefined))),
    );
    await expect(failing).rejects.toMatchObject({ code: '23514' });
    // What would be sent behind the rollback would be there a moment later.
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await added()).toEqual([]);
  }
  const answers = await within((trx) => together(trx, step(trx, 'piped-a'), step(trx, 'piped-b')));
  expect(answers).toEqual(['piped-a', 'piped-b']);
  expect(await added()).toEqual(['piped-a', 'piped-a-more', 'piped-b', 'piped-b-more']);
});

test('a connection that breaks is an outage, and the next transaction has another', async () => {
  const broken = pipelineTransaction(connection.db, (trx) =>
    Promise.all([add(trx, 'piped-a'), sql`SELECT pg_terminate_backend(pg_backend_pid())`.execute(trx)]),
  );
  await expect(broken).rejects.toSatisfy(isUnavailable);
  expect(await added()).toEqual([]);
  await pipelineTransaction(connection.db, (trx) => add(trx, 'piped-a'));
  expect(await added()).toEqual(['piped-a']);
});

test('a transaction begins no other one', async () => {
  const inside = connection.db.transaction().execute((trx) => pipelineTransaction(trx, async () => 1));
  await expect(inside).rejects.toThrow('cannot begin another');
});
