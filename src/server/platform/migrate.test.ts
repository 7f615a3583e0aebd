import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { withClient } from '#test/with-client.ts';
import { connect } from './db.ts';
import { knownMigrations, migrate, missingMigrations } from './migrate.ts';

const LATER = ['0028-shelf-said-by-all.sql', '0029-shelf-contracted.sql'];

const column = async <A>(client: pg.Client, text: string): Promise<A[]> =>
  (await client.query<[A]>({ text, rowMode: 'array' })).rows.map(([value]) => value);

describe('what takes away what the release before asks for', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase({ tables: false });
    await migrate(database.url, { only: (await knownMigrations()).filter((name) => name < '0025') });
  });
  afterAll(() => database.drop());

  const indexes = (): Promise<string[]> =>
    withClient(database.url, (client) =>
      column(client, `SELECT indexname FROM pg_indexes WHERE tablename = 'listings' AND indexname LIKE '%newest'`),
    );
  const applied = (): Promise<string[]> =>
    withClient(database.url, (client) => column(client, 'SELECT name FROM migrations'));
  const missing = async (): Promise<string[]> => {
    const { db, close } = connect(database.url, { connections: 1 });
    return missingMigrations(db).finally(close);
  };

  test('waits while that may still serve: both find what they ask for, and the shop is ready', async () => {
    expect((await missing()).length).toBeGreaterThan(2);
    const done = await migrate(database.url);
    expect(done).toContain('0027-shelf-said.sql');
    for (const name of LATER) expect(done).not.toContain(name);
    expect(await missing()).toEqual([]);
    expect(await indexes()).toEqual(expect.arrayContaining(['listings_newest', 'shelf_newest']));
    expect(await migrate(database.url)).toEqual([]);
  });

  const anHourPasses = (): Promise<unknown> =>
    withClient(database.url, (client) =>
      client.query(`UPDATE migrations SET applied_at = now() - interval '61 minutes'`),
    );

  test.each(['dogear', 'dogear news', 'dogear 0027', 'dogear news 0027'])(
    'waits as long as a connection tells that one is at work (%s)',
    async (name) => {
      await anHourPasses();
      const former = new pg.Client({ connectionString: database.url, application_name: name });
      await former.connect();
      expect(await migrate(database.url)).toEqual([]);
      await former.end();
    },
  );

  test('waits while what it needs is in use, and keeps nobody waiting for that', async () => {
    await anHourPasses();
    await withClient(database.url, async (client) => {
      await client.query('BEGIN');
      await client.query('SELECT FROM listings');
      expect(await migrate(database.url)).not.toContain(LATER[0]);
      await client.query('ROLLBACK');
    });
  });

  test('is done at a start an hour later beside processes of this release', async () => {
    await anHourPasses();
    const { db, close } = connect(database.url, { connections: 1 });
    await missingMigrations(db);
    expect(LATER).toEqual(expect.arrayContaining(await migrate(database.url)));
    await close();
    expect(await applied()).toEqual(expect.arrayContaining(LATER));
    expect(await indexes()).toContain('shelf_newest');
    expect(await indexes()).not.toContain('listings_newest');
    expect(await migrate(database.url)).toEqual([]);
  });
});

test('a new database has everything at once', async () => {
  const database = await createTestDatabase({ tables: false });
  expect(await migrate(database.url)).toEqual(await knownMigrations());
  await database.drop();
});

describe('copies from before there was a column for the shelf', () => {
  let database: TestDatabase;
  const STATES = ['available', 'held', 'sold', 'withdrawn'];
  beforeAll(async () => {
    database = await createTestDatabase({ tables: false });
    await migrate(database.url, { only: (await knownMigrations()).filter((name) => name < '0025') });
    await withClient(database.url, async (client) => {
      await client.query(`INSERT INTO users (email, name) VALUES ('seller@example.com', 'Seller')`);
      await client.query(`INSERT INTO categories (id, name) VALUES ('novels', 'Novels')`);
      await client.query(
        `INSERT INTO listings (seller_id, category_id, title, original_cents, resale_cents, years_of_use, location, phone, details, condition, status, updated_at)
         SELECT users.id, 'novels', state || ' ' || n, 900, 500, 1, 'Here', '', '', 'Good', state, '2026-01-02T03:04:05Z'
         FROM users, unnest($1::text[]) AS state, generate_series(1, 2000) AS n`,
        [STATES],
      );
    });
    await migrate(database.url);
  });
  afterAll(() => database.drop());

  test('are on it or not as their state says, and were withdrawn when they were last changed', async () => {
    const rows = await withClient(database.url, (client) =>
      column(
        client,
        `SELECT concat_ws(' ', status, on_shelf, withdrawn_at AT TIME ZONE 'UTC', count(*)) FROM listings
         GROUP BY status, on_shelf, withdrawn_at ORDER BY 1`,
      ),
    );
    expect(rows).toEqual(['available t 2000', 'held t 2000', 'sold f 2000', 'withdrawn f 2026-01-02 03:04:05 2000']);
  });

  const moved = (state: string): Promise<unknown> =>
    withClient(database.url, async (client) => {
      const { rows } = await client.query(
        `UPDATE listings SET status = '${state}', updated_at = now() WHERE title = 'available 1' RETURNING on_shelf, withdrawn_at = updated_at AS withdrawn`,
      );
      return rows[0];
    });

  test('go on and off it with their state while the release before may serve, which says nothing of it', async () => {
    const seen: unknown[] = [];
    for (const state of ['held', 'sold', 'available', 'withdrawn', 'available']) seen.push(await moved(state));
    expect(seen).toEqual([
      { on_shelf: true, withdrawn: null },
      { on_shelf: false, withdrawn: null },
      { on_shelf: true, withdrawn: null },
      { on_shelf: false, withdrawn: true },
      { on_shelf: true, withdrawn: null },
    ]);
  });

  test('cannot say one thing and be another', async () => {
    await withClient(database.url, async (client) => {
      for (const wrong of [
        `on_shelf = false WHERE title = 'held 1'`,
        `withdrawn_at = NULL WHERE title = 'withdrawn 1'`,
      ]) {
        await expect(client.query(`UPDATE listings SET ${wrong}`)).rejects.toThrow('listings_shelf_said');
      }
    });
  });

  test('are told by who changes their state, once that release is gone', async () => {
    await withClient(database.url, (client) =>
      client.query(`UPDATE migrations SET applied_at = now() - interval '61 minutes'`),
    );
    expect(await migrate(database.url)).toEqual(LATER);
    await expect(moved('sold')).rejects.toThrow('listings_shelf_said');
  });
});
