import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { modelShop, type ModelShop } from '#test/model.ts';

let shop: ModelShop;

beforeAll(async () => {
  shop = await modelShop();
});
afterAll(async () => {
  vi.useRealTimers();
  await shop.close();
});

const HOUR_MS = 3_600_000;
const HOLD_MINUTES = 30;

test('holds begin and end by the database’s clock, however wrong the app’s is', async () => {
  const [buyer] = shop.buyers;
  const copies = [await shop.aCopy(), await shop.aCopy()] as const;
  for (const [n, wrongByMs] of [HOUR_MS, -HOUR_MS].entries()) {
    const copy = copies[n] ?? copies[0];
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + wrongByMs });
    const booked = await shop.book(buyer, copy);
    const { rows } = await sql<{ minutes: number }>`
      SELECT extract(epoch FROM expires_at - now())::float8 / 60 AS minutes FROM holds WHERE listing_id = ${copy.id}`.execute(
      shop.t.db,
    );
    expect(booked.status).toBe(201);
    expect(rows[0]?.minutes).toBeGreaterThan(HOLD_MINUTES - 1);
    expect(rows[0]?.minutes).toBeLessThanOrEqual(HOLD_MINUTES);
    await shop.sweep();
    expect(await shop.statusOf(copy)).toBe('held');
    await shop.lapse(copy);
    await shop.sweep();
    expect(await shop.statusOf(copy)).toBe('available');
    vi.useRealTimers();
  }
});
