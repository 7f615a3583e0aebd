import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { seedDemoShop } from '#db/seed/demo-shop.ts';
import { withDatabase } from './database/access.ts';
import { moveShopClock, readShopClock } from '#server/platform/postgres/clock.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { markShop } from '#server/platform/postgres/shop-mark.ts';
import { makeWorkshop, serversOf } from '#test/databases/database-owner.ts';
import { PRODUCTION } from '#test/production.ts';
import { askYes } from './terminal/ask-yes.ts';

const workshop = makeWorkshop();
afterEach(workshop.tidy);
afterAll(workshop.close);

const reset = async (env: Record<string, string>, ...args: string[]): Promise<{ code: number; printed: string }> => {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'reset.ts'), ...args], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (printed += String(chunk)));
  const [code] = await once(child, 'close');
  return { code: Number(code), printed };
};

const withShop = <A>(dataDir: string, work: (db: Db) => Promise<A>): Promise<A> =>
  withDatabase({ databaseUrl: undefined, dataDir }, () => {}, work);
const listings = async (db: Db): Promise<number> => (await db.selectFrom('listings').select('id').execute()).length;

describe('npm run reset', () => {
  test('takes everything out of a closed demo but its backups, and the next start fills it as the first did', async () => {
    const DATA_DIR = await workshop.database();
    const before = await withShop(DATA_DIR, async (db) => {
      await markShop(db, true);
      await seedDemoShop(db);
      const count = await listings(db);
      await moveShopClock(db, 86_400);
      return count;
    });
    for (const name of ['standins/mailbox.sqlite', 'backups/kept.dump']) {
      mkdirSync(path.dirname(path.join(DATA_DIR, name)), { recursive: true });
      writeFileSync(path.join(DATA_DIR, name), '');
    }
    const unasked = await reset({ DATA_DIR });
    expect([unasked.code, unasked.printed]).toEqual([1, expect.stringContaining('say --yes')]);
    expect(existsSync(path.join(DATA_DIR, 'standins/mailbox.sqlite'))).toBe(true);

    expect(await reset({ DATA_DIR }, '--yes')).toEqual({
      code: 0,
      printed: `The demo shop in ${DATA_DIR} is as new at its next start.\n`,
    });
    expect(serversOf(path.dirname(DATA_DIR))).toEqual([]);
    expect(existsSync(path.join(DATA_DIR, 'standins'))).toBe(false);
    expect(existsSync(path.join(DATA_DIR, 'backups/kept.dump'))).toBe(true);
    await withShop(DATA_DIR, async (db) => {
      await markShop(db, true);
      expect(await seedDemoShop(db)).toBe(true);
      expect(await listings(db)).toBe(before);
      expect((await readShopClock(db)).aheadSeconds).toBe(0);
    });
  });

  test('refuses a shop that is open, and leaves it open', async () => {
    const DATA_DIR = await workshop.database();
    const owner = workshop.owner(DATA_DIR);
    await owner.url;
    const { code, printed } = await reset({ DATA_DIR }, '--yes');
    expect(code).toBe(1);
    expect(printed).toBe(`The shop in ${DATA_DIR} is open (process ${owner.pid}): close it, then reset it.\n`);
    expect(serversOf(path.dirname(DATA_DIR))).toHaveLength(1);
  });

  test('refuses production, any other database, and a shop that is no demo', async () => {
    const DATA_DIR = await workshop.database();
    await withShop(DATA_DIR, (db) => markShop(db, false));
    const tries: [Record<string, string>, string][] = [
      [{ ...PRODUCTION, DATA_DIR }, 'this one is in production'],
      [{ DATABASE_URL: 'postgres://unused/unused', DATA_DIR }, 'DATABASE_URL names another one'],
      [{ DATA_DIR }, 'is no demo: nothing was removed'],
    ];
    for (const [env, sentence] of tries) {
      const { code, printed } = await reset(env, '--yes');
      expect([code, printed]).toEqual([1, expect.stringContaining(sentence)]);
      expect(printed).not.toMatch(/^\s+at /m);
    }
  });

  test('says so where no shop ever was, and makes none', async () => {
    const DATA_DIR = path.join(workshop.folder(), 'none');
    const { code, printed } = await reset({ DATA_DIR }, '--yes');
    expect([code, printed]).toEqual([0, expect.stringContaining('There is nothing to reset')]);
    expect(existsSync(DATA_DIR)).toBe(false);
  });
});

test.each([
  ['yes\n', true],
  ['Y\n', true],
  ['no\n', false],
  ['\n', false],
  ['yesterday\n', false],
  ['', false],
])('asked at a terminal, %j is taken as %s', async (typed, sure) => {
  const input = new PassThrough();
  const answer = askYes('Go on? ', input, new PassThrough());
  input.end(typed);
  expect(await answer).toBe(sure);
});
