import { writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import path from 'node:path';
import { startChild, type Child } from '#lab/proofs/child.ts';
import type { BenchDatabase } from './database.ts';
import { PUBLIC_URL, type Shop } from './shop.ts';

const root = path.join(import.meta.dirname, '../../..');
const START_LIMIT_MS = 30_000;

/** A process that answers on a port. */
export interface Side {
  readonly pid: number;
  readonly port: number;
}

/** The servers that the shop is compared with, each in a process of its own. */
export interface References {
  readonly bytes: Side;
  /** A bare socket in the same process, which shows how much the load generator can ask for. */
  readonly socket: Side;
  readonly statement: Side;
  readonly renderer: Side;
  stop(): Promise<void>;
}

/** What node:http adds to every answer by itself. */
const ADDED = new Set(['connection', 'date', 'keep-alive']);

/** The answer of the shop as it is on the wire. */
const capture = async (shop: Shop, target: string, headers: Readonly<Record<string, string>>) => {
  const asked = request({ port: shop.port, host: '127.0.0.1', path: target, headers });
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const kept: string[] = [];
  asked.on('response', (answer) => {
    answer.rawHeaders.forEach((name, place, all) => {
      if (place % 2 === 0 && !ADDED.has(name.toLowerCase())) kept.push(name, all[place + 1] ?? '');
    });
    if (answer.statusCode !== 200) reject(new Error(`${target} was answered ${answer.statusCode}`));
    buffer(answer).then(resolve, reject);
  });
  asked.on('error', reject);
  asked.end();
  const body = await promise;
  return { path: target, headers: kept, body: body.toString('base64') };
};

const within = <A>(work: Promise<A>, what: string): Promise<A> => {
  const { promise, reject } = Promise.withResolvers<never>();
  const limit = setTimeout(() => reject(new Error(`${what} did not start.`)), START_LIMIT_MS);
  return Promise.race([work, promise]).finally(() => clearTimeout(limit));
};

/** A reference in a process of its own, once it says where it listens. */
export const startReference = async (
  name: 'bytes' | 'statement' | 'renderer',
  env: Readonly<Record<string, string>>,
): Promise<Side & { readonly child: Child; readonly socketPort: number }> => {
  const child = startChild(root, `lab/bench/serve/references/${name}.ts`, [], { NODE_ENV: 'production', ...env });
  const said = await within(child.said(/PORT=(\d+)(?: SOCKET=(\d+))?/), name).catch((error: unknown) => {
    child.kill('SIGKILL');
    throw error;
  });
  return { child, pid: child.pid, port: Number(said[1]), socketPort: Number(said[2]) };
};

/** `kept` are the addresses whose bytes the bare server sends. */
export const startReferences = async (
  shop: Shop,
  database: BenchDatabase,
  options: { folder: string; kept: readonly { target: string; headers: Readonly<Record<string, string>> }[] },
): Promise<References> => {
  const bytesFile = path.join(options.folder, 'bytes.json');
  const answers: unknown[] = [];
  for (const { target, headers } of options.kept) answers.push(await capture(shop, target, headers));
  await writeFile(bytesFile, JSON.stringify(answers));
  const children: Child[] = [];
  const start = async (...[name, env]: Parameters<typeof startReference>) => {
    const started = await startReference(name, env);
    children.push(started.child);
    return started;
  };
  const stop = async (): Promise<void> => {
    for (const child of children) {
      child.kill('SIGKILL');
      await child.exited;
    }
  };
  try {
    const bytes = await start('bytes', { BYTES_FILE: bytesFile });
    const statement = await start('statement', { DATABASE_URL: database.appUrl, PUBLIC_URL });
    const renderer = await start('renderer', { SHOP_URL: shop.url });
    const socket = { pid: bytes.pid, port: bytes.socketPort };
    return {
      bytes,
      socket,
      statement,
      renderer,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
};
