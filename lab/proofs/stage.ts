import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '#test/free-port.ts';
import { startChild, type Child } from './child.ts';
import { openDatabase, type ProveDatabase } from './database.ts';
import { openFrontDoor } from './crowd/front-door.ts';
import { providerAt, type Provider } from './crowd/provider.ts';

const projectRoot = path.join(import.meta.dirname, '../..');
const OPEN = /Dogear is open at/;
/** More than any run sends: each delivery is counted. */
const MAILS_KEPT = '200000';

export interface App {
  readonly port: number;
  /** Starts it; fulfils with the process as soon as it runs, which may die before it is open. */
  start(env?: Record<string, string>): Child;
  /** Whether it takes requests. */
  isOpen(): boolean;
  child(): Child | undefined;
}

/**
 * Everything a run needs, each part a process of its own: PostgreSQL, the payment stand-in, two apps and their front
 * door.
 */
export interface Stage {
  readonly folder: string;
  readonly database: ProveDatabase;
  /** The address people know: one for all apps. */
  readonly door: string;
  readonly provider: Provider;
  /** Where the mailbox shows what it has taken. */
  readonly mailbox: string;
  readonly apps: readonly [App, App];
  /** Where people knock: an app that runs, turn by turn; undefined while there is none. */
  doorOfAnApp(): string | undefined;
  /** When processes of the shop ended, however they did: milliseconds since 1970. */
  deaths(): readonly number[];
  close(): Promise<void>;
}

const makeApp = (options: { tree: string; port: number; shared: Record<string, string>; onDeath: () => void }): App => {
  const { tree, port, shared } = options;
  let current: Child | undefined;
  let open = false;
  return {
    port,
    isOpen: () => open,
    child: () => current,
    start: (env = {}) => {
      const child = startChild(tree, 'src/server/main.ts', [], { ...shared, PORT: String(port), ...env });
      current = child;
      open = false;
      child.said(OPEN).then(
        () => void (open = current === child && child.isAlive()),
        () => {},
      );
      void child.exited.then(() => {
        options.onDeath();
        if (current === child) open = false;
      });
      return child;
    },
  };
};

/** Opens the stage for the apps of `tree`; they are not started yet. */
export const openStage = async (options: { tree: string; env: Record<string, string> }): Promise<Stage> => {
  const folder = await mkdtemp(path.join(tmpdir(), 'dogear-prove-'));
  // Run as root, the database server belongs to another user, who must pass through.
  await chmod(folder, 0o711);
  const closers: (() => unknown)[] = [() => rm(folder, { recursive: true, force: true })];
  const close = async (): Promise<void> => {
    for (const step of closers.splice(0).reverse()) await step();
  };
  try {
    const database = await openDatabase(folder);
    closers.push(() => database.stop());
    const ports = [await freePort(), await freePort()] as const;
    const apps: App[] = [];
    const openPorts = (): number[] => apps.filter((app) => app.isOpen()).map(({ port }) => port);
    const door = await openFrontDoor(openPorts);
    closers.push(door.close);
    const webhook = `http://127.0.0.1:${door.port}/api/webhooks/stripe`;
    const file = path.join(folder, 'stripe.sqlite');
    const standin = startChild(
      projectRoot,
      'scripts/standins.ts',
      ['--port', '0', '--file', file, '--webhook', webhook, '--mails', MAILS_KEPT],
      {},
    );
    closers.push(async () => {
      standin.kill('SIGKILL');
      await standin.exited;
    });
    const [, standinsUrl = ''] = await standin.said(/STANDINS_URL=(http:\/\/127\.0\.0\.1:\d+)/);
    const shared = {
      NODE_ENV: 'production',
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? path.join(projectRoot, 'node_modules/.cache/compiled'),
      DOGEAR_MODE: 'demo',
      PUBLIC_URL: `http://127.0.0.1:${door.port}`,
      DATA_DIR: path.join(folder, 'app'),
      DATABASE_URL: database.url,
      STANDINS_URL: standinsUrl,
      DOGEAR_CRASH_AT: '',
      ...options.env,
    };
    const deaths: number[] = [];
    const appAt = (port: number): App =>
      makeApp({ tree: options.tree, port, shared, onDeath: () => void deaths.push(Date.now()) });
    const [first, second] = [appAt(ports[0]), appAt(ports[1])];
    apps.push(first, second);
    closers.push(async () => {
      for (const app of apps) {
        const child = app.child();
        child?.kill('SIGKILL');
        await child?.exited;
      }
    });
    let turn = 0;
    const doorOfAnApp = (): string | undefined => {
      const open = openPorts();
      turn += 1;
      const port = open[turn % Math.max(1, open.length)];
      return port === undefined ? undefined : `http://127.0.0.1:${port}`;
    };
    return {
      folder,
      database,
      door: shared.PUBLIC_URL,
      provider: providerAt(standinsUrl),
      mailbox: `${standinsUrl}/mailbox`,
      apps: [first, second],
      doorOfAnApp,
      deaths: () => deaths,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
};
