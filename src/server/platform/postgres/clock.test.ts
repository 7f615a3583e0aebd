import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ask } from '#test/databases/database-owner.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { MOST_AHEAD_SECONDS, moveShopClock, readShopClock } from './clock.ts';
import { connect, type Connection, type Db } from './db.ts';
import { markShop } from './shop-mark.ts';

const DAY = 86_400;

let database: TestDatabase;
let connections: Connection[];
/** As the role that the shop works as. */
let db: Db;
let owner: Db;
beforeEach(async () => {
  database = await createTestDatabase();
  connections = [database.appUrl, database.url].map((url) => connect(url, { connections: 2 }));
  [db, owner] = connections.map((one) => one.db) as [Db, Db];
});
afterEach(async () => {
  await Promise.all(connections.map((one) => one.close()));
  await database.drop();
});

const asOwner = (text: string): Promise<unknown> => sql.raw(text).execute(owner);
const asShop = (text: string): Promise<unknown> => sql.raw(text).execute(db);

describe("a demo shop's clock", () => {
  beforeEach(() => markShop(db, true));

  test('shows the real time until it is moved, and is that much ahead from then on', async () => {
    expect(await ask(database.url, 'SELECT shop_now() = now()')).toBe('true');
    const before = Date.now();
    const shown = await moveShopClock(db, 3 * DAY);
    expect(shown.getTime() - before).toBeGreaterThanOrEqual(3 * DAY * 1_000 - 1_000);
    await moveShopClock(db, 90);
    expect(await ask(database.url, `SELECT shop_now() - now() = make_interval(secs => ${3 * DAY + 90})`)).toBe('true');
    expect((await readShopClock(db)).aheadSeconds).toBe(3 * DAY + 90);
  });

  test('shows one time all through a transaction: it is not moved while one that looked at it is open', async () => {
    const moving = await db.transaction().execute(async (trx) => {
      const first = await readShopClock(trx);
      const moved = moveShopClock(owner, DAY);
      await sleep(100);
      expect((await readShopClock(trx)).now).toEqual(first.now);
      return { moved };
    });
    await moving.moved;
    expect((await readShopClock(db)).aheadSeconds).toBe(DAY);
  });

  test('never goes back, whoever asks, and not beyond a century', async () => {
    await moveShopClock(db, DAY);
    await expect(moveShopClock(db, -1)).rejects.toThrow('only moves in a demo, forward');
    await expect(asOwner('UPDATE shop_clock SET ahead_seconds = 0')).rejects.toThrow('only moves forward');
    await expect(asOwner('DELETE FROM shop_clock')).rejects.toThrow('append-only');
    await expect(asOwner('TRUNCATE shop_clock')).rejects.toThrow('append-only');
    await expect(asOwner('INSERT INTO shop_clock (ahead_seconds) VALUES (0)')).rejects.toThrow('duplicate key');
    await expect(moveShopClock(db, MOST_AHEAD_SECONDS)).rejects.toThrow('by a century at most');
    expect((await readShopClock(db)).aheadSeconds).toBe(DAY);
  });

  test('is not written by the role of the shop but through the function that moves it', async () => {
    for (const statement of [
      `UPDATE shop_clock SET ahead_seconds = ${DAY}`,
      'DELETE FROM shop_clock',
      'TRUNCATE shop_clock',
      'ALTER TABLE shop_clock DISABLE TRIGGER ALL',
      "CREATE OR REPLACE FUNCTION shop_now() RETURNS timestamptz LANGUAGE sql AS 'SELECT now()'",
    ])
      await expect(asShop(statement)).rejects.toThrow(/permission denied|must be owner/);
  });
});

test.each([['a shop that is no demo', false] as const, ['a shop that is marked as nothing yet', undefined] as const])(
  'the clock of %s stands at 0, and neither its role nor its owner moves it',
  async (_shop, demo) => {
    if (demo !== undefined) await markShop(db, demo);
    for (const one of [db, owner]) await expect(moveShopClock(one, DAY)).rejects.toThrow('only moves in a demo');
    const update = `UPDATE shop_clock SET ahead_seconds = ${DAY}`;
    await expect(asOwner(update)).rejects.toThrow('only moves in a demo');
    expect(await ask(database.url, 'SELECT shop_now() = now() FROM shop_clock WHERE ahead_seconds = 0')).toBe('true');
  },
);
