import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openShop, type RunningShop } from './shop.ts';

let shop: RunningShop;
let dataDir: string;

beforeAll(async () => {
  shop = await openShop({ embedded: true });
  dataDir = shop.env['DATA_DIR'] ?? '';
});
afterAll(() => shop.close());

const postmasterPid = (): number =>
  Number(readFileSync(path.join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n', 1)[0]);

test('while PostgreSQL is killed requests answer 503 with Retry-After, and the shop recovers by itself', async () => {
  process.kill(postmasterPid(), 'SIGKILL');
  const seen = new Set<number>();
  let retryAfter: string | null = null;
  const deadline = Date.now() + 30_000;
  let recovered = false;
  while (Date.now() < deadline && !recovered) {
    const answer = await fetch(`${shop.url}/api/categoryName`, { headers: { 'cache-control': 'no-cache' } });
    seen.add(answer.status);
    if (answer.status === 503) retryAfter = answer.headers.get('retry-after');
    recovered = answer.status === 200 && seen.has(503);
    await answer.text();
  }
  expect(recovered).toBe(true);
  expect(retryAfter).toBe('2');
  expect([...seen].toSorted()).toEqual([200, 503]);
});

test('the pages are there again too', async () => {
  const page = await fetch(shop.url);
  expect(page.status).toBe(200);
  expect(await page.text()).toContain('Dogear');
});

test('a client that stopped talking does not keep the shop open', async () => {
  const silent = connect({ host: '127.0.0.1', port: Number(new URL(shop.url).port) });
  await once(silent, 'connect');
  silent.write('POST /api/auth/sign-in HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{');
  silent.on('error', () => {});
  shop.process.kill('SIGINT');
  const [code] = await once(shop.process, 'exit');
  silent.destroy();
  expect(code).toBe(0);
  expect(existsSync(path.join(dataDir, 'postgres', 'postmaster.pid'))).toBe(false);
});
