import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { get, request } from 'node:http';
import { text } from 'node:stream/consumers';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Listing } from '#contract/catalog/catalog.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { openShop, type RunningShop } from './e2e/shop.ts';

/** Connections go to the workers in turn, so that so many reach each of two. */
const CONNECTIONS = 8;

let database: TestDatabase;
let db: pg.Client;
let shop: RunningShop;
beforeAll(async () => {
  database = await createTestDatabase();
  db = new pg.Client({ connectionString: database.url });
  await db.connect();
  shop = await openShop({ env: { DATABASE_URL: database.url, WORKERS: '2', LOG_LEVEL: 'warn' } });
});
afterAll(async () => {
  await shop.close();
  await db.end();
  await database.drop();
});

/** One request on a connection of its own. */
const ask = async (url: string): Promise<{ status: number; body: string }> => {
  const [answer] = await once(get(url, { agent: false }), 'response');
  return { status: answer.statusCode, body: await text(answer) };
};
/** The same, undefined where there is no answer. */
const tryAsk = async (url: string, timeout = 20_000): Promise<number | undefined> => {
  const asking = get(url, { agent: false, timeout });
  asking.once('timeout', () => asking.destroy());
  const answer = await once(asking, 'response').catch(() => undefined);
  return answer?.[0].resume().statusCode;
};

const askEach = (url: string): Promise<{ status: number; body: string }[]> =>
  Promise.all(Array.from({ length: CONNECTIONS }, () => ask(url)));

const workersOf = ({ process: { pid } }: RunningShop): number[] =>
  spawnSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' })
    .stdout.split('\n')
    .filter(Boolean)
    .map(Number);

const someCopy = async (): Promise<Listing> => {
  const [copy] = JSON.parse((await ask(`${shop.url}/api/categories?limit=1`)).body) as Listing[];
  if (copy === undefined) throw new Error('no copy');
  return copy;
};

describe('a shop with two workers', () => {
  test('opens once: one start of the shop is told, by one process', async () => {
    // The first worker answers before the last one listens.
    await expect.poll(() => shop.output()).toContain('Ctrl-C closes the shop.');
    expect(workersOf(shop)).toHaveLength(2);
    for (const line of ['Dogear is open at', 'The demo shop was put in.', 'buyer@example.com']) {
      expect(shop.output().split(line), line).toHaveLength(2);
    }
  });

  test('does by itself what one process does: mail leaves, and is shown by every worker', async () => {
    const email = 'workers@example.com';
    await fetch(`${shop.url}/api/auth/sign-up`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: shop.url },
      body: JSON.stringify({ email, password: 'Workers#2026xyz', name: 'Workers', user_type: 'buyer' }),
    });
    await expect
      .poll(async () => (await askEach(`${shop.url}/standins/mailbox`)).every(({ body }) => body.includes(email)))
      .toBe(true);
  });

  test('tells each worker what changed: no cached answer stays', async () => {
    const { _id } = await someCopy();
    const url = `${shop.url}/api/categories/${_id}`;
    const pricesOf = async (): Promise<number[]> =>
      (await askEach(url)).map(({ body }) => (JSON.parse(body) as Listing).resale_price);
    await db.query('UPDATE listings SET resale_cents = 1111 WHERE id = $1', [_id]);
    await expect.poll(pricesOf).toEqual(Array.from({ length: CONNECTIONS }, () => 11.11));
    await db.query('UPDATE listings SET resale_cents = 2222 WHERE id = $1', [_id]);
    await expect.poll(pricesOf).toEqual(Array.from({ length: CONNECTIONS }, () => 22.22));
  });

  test('goes on answering while a worker is killed, and has another soon', async () => {
    const [victim = 0, ...others] = workersOf(shop);
    process.kill(victim, 'SIGKILL');
    const statuses: (number | undefined)[] = [];
    await expect
      .poll(async () => {
        statuses.push(await tryAsk(`${shop.url}/api/categoryName`));
        return workersOf(shop).filter((pid) => pid !== victim).length;
      })
      .toBe(2);
    // At most the one connection that was on its way to the dead has no answer.
    expect(statuses.filter((status) => status !== 200).length).toBeLessThanOrEqual(1);
    for (const { status } of await askEach(`${shop.url}/api/categoryName`)) expect(status).toBe(200);
    expect(workersOf(shop)).toEqual(expect.arrayContaining(others));
    expect(shop.output()).toContain('a worker ended and is replaced');
  });

  test('replaces its workers one after the other when told to', async () => {
    const before = workersOf(shop);
    const statuses: (number | undefined)[] = [];
    shop.process.kill('SIGUSR2');
    const areReplaced = async (): Promise<boolean> => {
      statuses.push(await tryAsk(`${shop.url}/api/categoryName`));
      const now = workersOf(shop);
      return now.length === 2 && now.every((pid) => !before.includes(pid));
    };
    // Each takes a start, and the seconds in which the one before lets its connections end.
    await expect.poll(areReplaced, { timeout: 100_000 }).toBe(true);
    expect(new Set(statuses)).toEqual(new Set([200]));
  }, 120_000);

  test('finishes what is in flight when it is told to end, and leaves nobody behind', async () => {
    const workers = workersOf(shop);
    const body = JSON.stringify({ email: 'buyer@example.com', password: 'Buyer#2026' });
    const sending = request(`${shop.url}/api/auth/sign-in`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'content-length': body.length,
        origin: shop.url,
        expect: '100-continue',
      },
    });
    sending.flushHeaders();
    await once(sending, 'continue');
    const ended = once(shop.process, 'exit');
    shop.process.kill('SIGTERM');
    // Nobody new is let in; whoever was let in last may be left without an answer.
    await expect.poll(() => tryAsk(`${shop.url}/api/categoryName`, 500)).toBeUndefined();
    sending.end(body);
    const [answer] = await once(sending, 'response');
    expect([answer.statusCode, await text(answer)]).toEqual([200, expect.stringContaining('buyer@example.com')]);
    expect(await ended).toEqual([0, null]);
    for (const pid of workers) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });
});

test('a port in use is told in a sentence, once, and no worker stays', async () => {
  // A worker that stayed would keep the output open, and this test would not end.
  const first = await openShop();
  const port = first.env['PORT'];
  const second = spawnSync(process.execPath, [path.join(import.meta.dirname, '../src/server/main.ts')], {
    env: { ...process.env, ...first.env, DATA_DIR: `${first.env['DATA_DIR']}-2`, WORKERS: '2' },
    encoding: 'utf8',
  });
  await first.close();
  expect(second.status).toBe(1);
  expect(second.stderr).toBe(`Port ${port} is in use: close what uses it, or choose another (PORT=3001 npm start).\n`);
});
