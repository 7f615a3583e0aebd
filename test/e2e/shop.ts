import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, rm } from 'node:fs/promises';
import path from 'node:path';
import { createTestDatabase } from '#test/database.ts';
import { makeFastFolder } from '#test/folders.ts';
import { freePort } from '#test/free-port.ts';
import lean from '#scripts/bootstrap/lean.json' with { type: 'json' };
import { violationsAt } from './violations.ts';

const root = path.join(import.meta.dirname, '../..');
/** What `npm start` runs; where features are taken out of the sources (lab/removals), these. */
const ENTRY = process.env['TEST_SHOP_ENTRY'] ?? 'build/shop/main.js';
const OPEN_LIMIT_MS = 60_000;

/** A shop as `npm start` runs it: the production build, a process of its own. */
export interface RunningShop {
  readonly url: string;
  readonly env: Record<string, string>;
  readonly process: ChildProcess;
  /** What it printed so far. */
  output(): string;
  /** Ends it as Ctrl-C does and clears up. */
  close(): Promise<void>;
}

const answers = async (url: string): Promise<boolean> => {
  const answer = await fetch(url).catch(() => undefined);
  return answer?.ok === true;
};

/** How many violations of the pages' policy browsers reported to a shop; none where it answers no more. */
const reportsTo = async (url: string): Promise<number> => {
  const answer = await fetch(`${url}/api/csp-reports`).catch(() => undefined);
  return answer?.ok === true ? ((await answer.json()) as { count: number }).count : 0;
};

const ready = async (shop: ChildProcess, url: string, output: () => string): Promise<void> => {
  const deadline = Date.now() + OPEN_LIMIT_MS;
  while (Date.now() < deadline && shop.exitCode === null) {
    if (await answers(`${url}/api/categoryName`)) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`the shop did not open:\n${output()}`);
};

/** Runs a script of the project beside the shop and answers what it printed; throws when it fails. */
export const runScript = async (shop: RunningShop, file: string, ...args: string[]): Promise<string> => {
  const child = spawn(process.execPath, [path.join(root, file), ...args], {
    cwd: root,
    env: { ...process.env, ...shop.env },
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (printed += String(chunk)));
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(printed);
  return printed;
};

/**
 * Opens a demo shop on a free port. With `embedded` it has a PostgreSQL of its own, else a database of the test server.
 */
export const openShop = async (
  options: { embedded?: boolean; env?: Record<string, string> } = {},
): Promise<RunningShop> => {
  const folder = await makeFastFolder('dogear-e2e-');
  // Run as root, the database server belongs to another user, who must pass through.
  await chmod(folder, 0o711);
  const database = options.embedded === true ? undefined : await createTestDatabase();
  const port = await freePort();
  const env = {
    NODE_ENV: 'production',
    PORT: String(port),
    DATA_DIR: path.join(folder, 'data'),
    ...(database === undefined || options.env?.['DATABASE_URL'] !== undefined
      ? { DATABASE_URL: '' }
      : { DATABASE_URL: database.appUrl, DATABASE_MIGRATE_URL: database.url }),
    // As `npm start` does: a shop is open sooner.
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? path.join(root, 'node_modules/.cache/compiled'),
    ...options.env,
  };
  const child = spawn(process.execPath, [...lean.flags, path.join(root, ENTRY)], {
    cwd: root,
    env: { ...process.env, ...lean.env, ...env },
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (printed += String(chunk)));
  const url = `http://localhost:${port}`;
  const close = async (): Promise<void> => {
    const reports = await reportsTo(url);
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGINT');
      await once(child, 'exit');
    }
    await database?.drop();
    await rm(folder, { recursive: true, force: true });
    if (reports > 0) throw new Error(`The pages' policy was violated ${reports} times:\n${printed}`);
    const stopped = violationsAt(url);
    if (stopped.length > 0) throw new Error(`The pages' policy stopped something:\n${stopped.join('\n')}`);
  };
  const output = (): string => printed;
  try {
    await ready(child, url, output);
  } catch (error) {
    await close();
    throw error;
  }
  return { url, env, process: child, output, close };
};
