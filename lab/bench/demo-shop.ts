// A demo shop as `npm start` opens it, for measuring: the production build, a process and a database of its own.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '#test/free-port.ts';

const root = path.join(import.meta.dirname, '../..');
/** Installing and building included. */
const OPEN_LIMIT_MS = 300_000;
const ASK_AGAIN_MS = 200;

const answers = (url: string): Promise<boolean> =>
  fetch(url).then(
    (answer) => answer.ok,
    () => false,
  );

export interface DemoShop {
  readonly url: string;
  /** Of the process that started it. */
  readonly pid: number;
  /** Ends it as Ctrl-C does and removes its data. */
  close(): Promise<void>;
}

/** Opens a demo shop on a free port, told `env`; rejects with what it printed when it does not open. */
export const openDemoShop = async (env: Record<string, string> = {}): Promise<DemoShop> => {
  const folder = await mkdtemp(path.join(tmpdir(), 'dogear-bench-'));
  // Run as root, the database server belongs to another user, who must pass through.
  await chmod(folder, 0o711);
  const port = await freePort();
  const own = { PORT: String(port), DATA_DIR: path.join(folder, 'data'), DATABASE_URL: '', PUBLIC_URL: '' };
  const child = spawn(process.execPath, [path.join(root, 'scripts/start.mjs')], {
    cwd: root,
    // Without the orders and photos of a demo, whose making would be measured along.
    env: { ...process.env, ...own, DEMO_ORDERS: '', DEMO_PHOTOS: '', ...env },
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (printed += String(chunk)));
  const close = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGINT');
      await once(child, 'exit');
    }
    await rm(folder, { recursive: true, force: true });
  };
  const url = `http://localhost:${port}`;
  const deadline = Date.now() + OPEN_LIMIT_MS;
  while (!(await answers(`${url}/api/categoryName`))) {
    if (child.exitCode !== null || Date.now() > deadline) {
      await close();
      throw new Error(`The shop did not open:\n${printed}`);
    }
    await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS));
  }
  return { url, pid: child.pid ?? 0, close };
};
