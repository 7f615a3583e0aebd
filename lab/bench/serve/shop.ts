// The production server as people run it, in a process of its own.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { freePort } from '#test/free-port.ts';
import lean from '#scripts/bootstrap/lean.json' with { type: 'json' };
import type { BenchDatabase } from './database.ts';

const root = path.join(import.meta.dirname, '../../..');
const WITH_PARENT = pathToFileURL(path.join(root, 'scripts/bootstrap/with-parent.mjs')).href;
const OPEN_LIMIT_MS = 60_000;
const CLOSE_LIMIT_MS = 15_000;
const ASK_AGAIN_MS = 2;
/** Where visitors think the shop is. */
export const PUBLIC_URL = 'https://books.example';

export interface Shop {
  readonly pid: number;
  readonly port: number;
  readonly url: string;
  /** From the start of the process to its first answer. */
  readonly startedInMs: number;
  /** A counter of /metrics, summed over those whose labels hold `labels`. */
  counter(name: string, labels: string): Promise<number>;
  stop(): Promise<void>;
}

/** What a shop in production needs; nothing here is real, and nobody is asked: mail waits, and nothing is paid. */
const settings = (database: BenchDatabase, ports: { port: number; metrics: number }): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '',
  HOME: process.env['HOME'] ?? '/',
  // As `npm start` runs it (scripts/bootstrap/start.mjs).
  ...lean.env,
  NODE_ENV: 'production',
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? path.join(root, 'node_modules/.cache/compiled'),
  DOGEAR_MODE: 'production',
  PORT: String(ports.port),
  METRICS_PORT: String(ports.metrics),
  PUBLIC_URL,
  DATABASE_URL: database.appUrl,
  DATABASE_MIGRATE_URL: database.url,
  STRIPE_SECRET_KEY: 'sk_test_of_a_bench',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_of_a_bench',
  STRIPE_WEBHOOK_SECRET: 'whsec_of_a_bench',
  SMTP_URL: 'smtp://127.0.0.1:9',
  // Visitors come through a proxy, each from a network of their own: limits count them apart.
  TRUST_PROXY: '127.0.0.1',
});

const answers = (url: string): Promise<boolean> =>
  fetch(url).then(
    (answer) => answer.body?.cancel().then(() => answer.ok) ?? answer.ok,
    () => false,
  );

/** Starts it and waits for its first answer; its log goes to a file in `folder`, as a service's does. */
export const openShop = async (
  database: BenchDatabase,
  folder: string,
  more: Readonly<Record<string, string>> = {},
): Promise<Shop> => {
  const [port, metrics] = [await freePort(), await freePort()];
  mkdirSync(folder, { recursive: true });
  const log = path.join(folder, `shop-${port}.log`);
  const out = openSync(log, 'a');
  const startedAt = performance.now();
  const child = spawn(
    process.execPath,
    [...lean.flags, '--import', WITH_PARENT, path.join(root, 'build/shop/main.js')],
    {
      cwd: folder,
      env: { ...settings(database, { port, metrics }), ...more },
      stdio: ['ignore', out, out],
    },
  );
  closeSync(out);
  const isAlive = (): boolean => child.exitCode === null && child.signalCode === null;
  const stop = async (): Promise<void> => {
    if (!isAlive()) return;
    const gone = once(child, 'exit');
    child.kill('SIGTERM');
    const limit = setTimeout(() => child.kill('SIGKILL'), CLOSE_LIMIT_MS);
    await gone;
    clearTimeout(limit);
  };
  const url = `http://127.0.0.1:${port}`;
  while (!(await answers(`${url}/api/categoryName`))) {
    if (!isAlive() || performance.now() - startedAt > OPEN_LIMIT_MS) {
      await stop();
      throw new Error(`The shop did not open:\n${readFileSync(log, 'utf8').slice(0, 4_000)}`);
    }
    await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS));
  }
  return {
    pid: child.pid ?? 0,
    port,
    url,
    startedInMs: performance.now() - startedAt,
    counter: async (name, labels) => {
      const text = await (await fetch(`http://127.0.0.1:${metrics}/metrics`)).text();
      const lines = text.split('\n').filter((line) => line.startsWith(`${name}{`) && line.includes(labels));
      return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
    },
    stop,
  };
};
