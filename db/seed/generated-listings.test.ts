import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connect, type Connection } from '#server/platform/postgres/db.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { seedDemoShop } from './demo-shop.ts';
import { generateListings, NoDemoShop } from './generated-listings.ts';

/** npm test -- --long tries the number that the shop is promised to bear. */
const MANY = process.env['DOGEAR_TEST_LONG'] === '1' ? 100_000 : 3_000;

let database: TestDatabase;
let connection: Connection;
beforeEach(async () => {
  database = await createTestDatabase();
  connection = connect(database.url, { timeouts: false });
});
afterEach(async () => {
  await connection.close();
  await database.drop();
});

const generated = () =>
  connection.db
    .selectFrom('listings')
    .select([
      'import_key',
      'title',
      'resale_cents',
      'original_cents',
      'condition',
      'seller_id',
      'published_at',
      'category_id',
    ])
    .where('import_key', 'is not', null)
    .orderBy('import_key')
    .execute();

describe('made-up listings', () => {
  it('are as many as asked for, believable and varied, below the demo shop’s own', async () => {
    const { db } = connection;
    await seedDemoShop(db);
    expect(await generateListings(db, { books: MANY })).toEqual({ added: MANY, present: 0, interrupted: false });
    const rows = await generated();
    expect(rows).toHaveLength(MANY);
    expect(rows.every((row) => row.resale_cents <= row.original_cents)).toBe(true);
    expect(new Set(rows.map((row) => row.condition)).size).toBe(3);
    expect(new Set(rows.map((row) => row.seller_id)).size).toBe(8);
    expect(new Set(rows.map((row) => row.title)).size).toBeGreaterThan(120);
    expect(new Set(rows.map((row) => row.published_at.getTime())).size).toBeGreaterThan(MANY / 2);
    const newest = await db
      .selectFrom('listings')
      .select('import_key')
      .orderBy('published_at', 'desc')
      .limit(100)
      .execute();
    expect(newest.every((row) => row.import_key === null)).toBe(true);
  });

  it('are the same ones in every shop, and a second run adds only what is missing', async () => {
    const { db } = connection;
    await seedDemoShop(db);
    await generateListings(db, { books: 500 });
    const first = await generated();
    expect(await generateListings(db, { books: 500 })).toEqual({ added: 0, present: 500, interrupted: false });
    expect(await generateListings(db, { books: 700 })).toEqual({ added: 200, present: 500, interrupted: false });
    const other = await createTestDatabase();
    const elsewhere = connect(other.url);
    try {
      await seedDemoShop(elsewhere.db);
      await generateListings(elsewhere.db, { books: 500 });
      const rows = await elsewhere.db
        .selectFrom('listings')
        .select(['import_key', 'title', 'resale_cents', 'condition'])
        .where('import_key', 'is not', null)
        .orderBy('import_key')
        .execute();
      expect(rows).toEqual(
        first.map(({ import_key, title, resale_cents, condition }) => ({ import_key, title, resale_cents, condition })),
      );
    } finally {
      await elsewhere.close();
      await other.drop();
    }
  });

  it('stop between two batches when interrupted, and go on from there', async () => {
    const { db } = connection;
    await seedDemoShop(db);
    const interruption = new AbortController();
    const first = await generateListings(db, {
      books: 3_000,
      signal: interruption.signal,
      onProgress: () => interruption.abort(),
    });
    expect(first.interrupted).toBe(true);
    expect(await generated()).toHaveLength(first.added);
    const second = await generateListings(db, { books: 3_000 });
    expect(first.added + second.added).toBe(3_000);
  });

  it('need a demo shop to be in', async () => {
    await expect(generateListings(connection.db, { books: 1 })).rejects.toThrow(NoDemoShop);
  });
});
