import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bookCopy } from '#contract/bookings/bookings.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { aBookingDraft, aBuyer, aListing, aSeller } from '#test/make.ts';

// What a booking changes of a copy is written beside the old row, and into none of the indexes
// (db/migrations/0002-catalog.sql).

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
});
afterAll(() => t.close());

test('no index of the copies hangs on what a booking changes', async () => {
  const { rows } = await sql<{ text: string }>`
    SELECT pg_get_indexdef(indexrelid) AS text FROM pg_index WHERE indrelid = 'listings'::regclass`.execute(t.db);
  expect(rows.length).toBeGreaterThan(10);
  expect(rows.map(({ text }) => text).filter((text) => /\b(?:status|updated_at)\b/.test(text))).toEqual([]);
});

test('a booking writes a heap-only row', async () => {
  const [seller, buyer] = await Promise.all([aSeller(t), aBuyer(t)]);
  const copy = await aListing(t, seller);
  const changes = async (): Promise<unknown> => {
    await sql`SELECT pg_stat_force_next_flush()`.execute(t.db);
    const { rows } = await sql`
      SELECT n_tup_upd::integer AS rows, n_tup_hot_upd::integer AS "heapOnly" FROM pg_stat_user_tables WHERE relname = 'listings'`.execute(
      t.db,
    );
    return rows[0];
  };
  expect(await changes()).toEqual({ rows: 0, heapOnly: 0 });
  expect((await t.call(bookCopy, { body: aBookingDraft(buyer, copy) }, { as: buyer })).status).toBe(201);
  // The other process of the database tells what it did a moment later.
  await expect.poll(changes, { timeout: 15_000 }).toEqual({ rows: 1, heapOnly: 1 });
});
