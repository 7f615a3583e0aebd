import { once } from 'node:events';
import { request, type ClientRequest } from 'node:http';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '#server/platform/config.ts';
import { connect, type Db } from '#server/platform/postgres/db.ts';
import { openShop, type Shop } from '#server/shop.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { openShop as runShop } from '#test/e2e/shop.ts';
import { freePort } from '#test/free-port.ts';

let database: TestDatabase;
let folder: string;
let shop: Shop;
let db: Db;
let closeDb: () => Promise<void>;
let front: string;
let ops: string;
beforeAll(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(path.join(tmpdir(), 'dogear-ops-'));
  const [port, metricsPort] = [String(await freePort()), String(await freePort())];
  const config = readConfig({
    PORT: port,
    METRICS_PORT: metricsPort,
    DATA_DIR: folder,
    DATABASE_URL: database.url,
    LOG_LEVEL: 'silent',
  });
  ({ db, close: closeDb } = connect(database.url, { connections: 1 }));
  shop = await openShop(config, () => {});
  await shop.listen();
  [front, ops] = [`http://localhost:${port}`, `http://127.0.0.1:${metricsPort}`];
});
afterAll(async () => {
  await shop.close();
  await closeDb();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

/** The samples of a metrics answer, by name and labels; throws for a line that is none. */
const readSamples = async (at: string): Promise<Map<string, number>> => {
  const answer = await fetch(`${at}/metrics`);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([
    200,
    'text/plain; version=0.0.4; charset=utf-8',
  ]);
  const samples = new Map<string, number>();
  for (const line of (await answer.text()).split('\n')) {
    if (line === '' || /^# (HELP \w+ .+|TYPE \w+ (counter|gauge|histogram))$/.test(line)) continue;
    const [, name, value] = /^([a-z_]+(?:\{(?:[a-z]+="[^"]*",?)*\})?) (-?[\d.e+-]+|NaN)$/.exec(line) ?? [];
    if (name === undefined) throw new Error(`no sample: ${line}`);
    expect(samples.has(name), line).toBe(false);
    samples.set(name, Number(value));
  }
  return samples;
};

const namesIn = (samples: Iterable<string>): Set<string> =>
  new Set([...samples].map((name) => name.split('{')[0] ?? ''));

describe('health', () => {
  test('is told on its own port only', async () => {
    for (const part of ['/health/live', '/health/serving', '/health/ready']) {
      expect((await fetch(`${ops}${part}`)).status, part).toBe(200);
    }
    expect(await (await fetch(`${ops}/health/ready`)).json()).toEqual({ ready: true, problems: [] });
    expect((await fetch(`${ops}/elsewhere`)).status).toBe(404);
    expect((await fetch(`${ops}/metrics`, { method: 'POST' })).status).toBe(405);
    for (const part of ['/health/live', '/health/serving', '/health/ready', '/metrics']) {
      expect((await fetch(`${front}${part}`)).status, part).toBe(404);
    }
  });

  test('says that the shop is not ready while the database lacks a migration, and lives on', async () => {
    await sql`DELETE FROM migrations WHERE name = '0001-identity.sql'`.execute(db);
    const answer = await fetch(`${ops}/health/ready`);
    expect([answer.status, await answer.json()]).toEqual([
      503,
      { ready: false, problems: ['The database lacks 0001-identity.sql.'] },
    ]);
    expect((await fetch(`${ops}/health/live`)).status).toBe(200);
    // Whoever spreads requests goes on sending them: much of the shop works without its database.
    expect((await fetch(`${ops}/health/serving`)).status).toBe(200);
    await sql`INSERT INTO migrations (name) VALUES ('0001-identity.sql')`.execute(db);
    expect((await fetch(`${ops}/health/ready`)).status).toBe(200);
  });
});

/** Begins a request whose body is yet to come. */
const beginRequest = async (url: string): Promise<ClientRequest> => {
  const sending = request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-length': 2, expect: '100-continue' },
  });
  sending.flushHeaders();
  await once(sending, 'continue');
  return sending;
};

describe('metrics', () => {
  test('count what is answered, by route and status, and how long it took', async () => {
    const answered = 'dogear_http_requests_total{method="GET",route="/api/categories/:id",status="404"}';
    const took = 'dogear_http_request_seconds_count{route="/api/categories/:id"}';
    const before = await readSamples(ops);
    await fetch(`${front}/api/categories/0b9f4c1e-0000-4000-8000-000000000000`);
    const after = await readSamples(ops);
    expect((after.get(answered) ?? 0) - (before.get(answered) ?? 0)).toBe(1);
    expect((after.get(took) ?? 0) - (before.get(took) ?? 0)).toBe(1);
  });

  test('tell the pool, the cached answers, the mail and the money', async () => {
    for (let times = 0; times < 2; times += 1) await fetch(`${front}/api/categories?limit=1`);
    const samples = await readSamples(ops);
    expect(samples.get('dogear_cache_requests_total{found="kept"}')).toBeGreaterThan(0);
    expect(samples.get('dogear_cache_entries')).toBeGreaterThan(0);
    expect(samples.get('dogear_pool_connections{use="requests",state="waiting"}')).toBe(0);
    expect(samples.get('dogear_database_up')).toBe(1);
    expect(samples.get('dogear_outbox_dead')).toBe(0);
    expect(samples.get('dogear_money_differences_open')).toBe(0);
  });

  test('keep their names, kinds and labels', async () => {
    await fetch(`${front}/api/categories?limit=1`);
    const text = await (await fetch(`${ops}/metrics`)).text();
    const kinds = [...text.matchAll(/^# TYPE dogear_(\w+) (\w+)$/gm)].map(([, name, kind]) => `${name} ${kind}`);
    expect(kinds.toSorted()).toEqual([
      'breaker_open gauge',
      'cache_bytes gauge',
      'cache_entries gauge',
      'cache_requests_total counter',
      'cpu_seconds_total counter',
      'database_up gauge',
      'event_loop_lag_seconds gauge',
      'hold_overdue_seconds gauge',
      'holds gauge',
      'http_request_seconds histogram',
      'http_requests_total counter',
      'listings gauge',
      'memory_bytes gauge',
      'missed_payments_day gauge',
      'money_differences_open gauge',
      'outbox_dead gauge',
      'outbox_oldest_seconds gauge',
      'outbox_waiting gauge',
      'payments_day gauge',
      'payments_day_cents gauge',
      'pool_connections gauge',
      'reconcile_age_seconds gauge',
      'started_seconds gauge',
      'users gauge',
    ]);
    const labels = [...text.matchAll(/^dogear_(?:http_request|reconcile|memory)\w+\{(.*)\}/gm)].flatMap(([, pairs]) =>
      [...(pairs ?? '').matchAll(/(\w+)="/g)].map(([, name]) => name),
    );
    expect([...new Set(labels)].toSorted()).toEqual(['le', 'method', 'process', 'route', 'scope', 'status']);
    expect(text).toMatch(/^dogear_reconcile_age_seconds\{scope="unpaid"\} [\d.]+$/m);
  });

  test('name everything that the alert rules and the dashboard ask for', async () => {
    await fetch(`${front}/api/categories?limit=1`);
    const known = namesIn((await readSamples(ops)).keys());
    // With workers only.
    known.add('dogear_workers');
    // Of a process that has asked an outside service.
    known.add('dogear_breaker_open');
    const folderOf = path.join(import.meta.dirname, '../../../ops');
    const [rules, board] = await Promise.all(
      ['alerts.yml', 'grafana-dashboard.json'].map((name) => readFile(path.join(folderOf, name), 'utf8')),
    );
    const { panels } = JSON.parse(board ?? '') as { panels: { targets: { expr: string }[] }[] };
    const asked = [...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)), ...(rules ?? '').split('\n')];
    const names = asked.flatMap((text) => text.match(/dogear_\w+/g) ?? []);
    expect(names.length).toBeGreaterThan(30);
    expect([...new Set(names)].filter((name) => !known.has(name))).toEqual([]);
    // The shape of a rule; nothing else may stand among them.
    const rule =
      /^ {6}- alert: \w+\n {8}expr: .+\n {8}for: \d+m\n {8}labels:\n {10}severity: (page|ticket)\n {8}annotations:\n {10}summary: .+\n {10}runbook: docs\/operating\.md#\w+\n/gm;
    const rest = (rules ?? '').replace(rule, '').replace(/^#.*\n/, '');
    expect(rest).toBe('groups:\n  - name: dogear\n    rules:\n');
  });
});

test('metrics of workers are added up', async () => {
  const metricsPort = await freePort();
  const withWorkers = await runShop({ env: { WORKERS: '2', METRICS_PORT: String(metricsPort) } });
  const at = `http://127.0.0.1:${metricsPort}`;
  await expect.poll(async () => (await readSamples(at)).get('dogear_workers')).toBe(2);
  const samples = await readSamples(at);
  // Its two workers and the process that has the rest.
  expect([...samples.keys()].filter((name) => name.startsWith('dogear_memory_bytes'))).toHaveLength(3);
  expect((await fetch(`${at}/health/ready`)).status).toBe(200);
  await withWorkers.close();
});

test('a shop that closes says so at once, and finishes what is in flight', async () => {
  const sending = await beginRequest(`${front}/api/auth/sign-in`);
  const closing = shop.close();
  const answer = await fetch(`${ops}/health/ready`);
  expect([answer.status, await answer.json()]).toEqual([503, { ready: false, problems: ['The shop is closing.'] }]);
  expect((await fetch(`${ops}/health/serving`)).status).toBe(503);
  expect((await fetch(`${ops}/health/live`)).status).toBe(200);
  sending.end('{}');
  const [answered] = await once(sending, 'response');
  expect(answered.statusCode).toBe(400);
  await closing;
  await expect(fetch(`${ops}/health/live`)).rejects.toThrow();
});
