import path from 'node:path';
import { startChild } from '#lab/proofs/child.ts';
import { providerAt, type Provider } from '#lab/proofs/crowd/provider.ts';
import type { Closers, Cluster } from './cluster.ts';
import { PORTS } from './plan.ts';

const projectRoot = path.join(import.meta.dirname, '../..');
/** More than any run sends: each delivery is counted. */
const MAILS_KEPT = '200000';
const LOOK_AGAIN_MS = 100;
const OPEN_LIMIT_MS = 60_000;

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** The shop on the cluster: two processes, their front door, and the stand-ins. */
export interface ClusterShop {
  /** HAProxy's address. */
  readonly door: string;
  readonly provider: Provider;
  readonly mailbox: string;
  /** The processes that were started; they are to be the same ones at the end. */
  processes(): readonly { pid: number; isAlive(): boolean; output(): string }[];
}

/** What a money drill may not wait a day for; as in the proof. */
const HURRY = { RECONCILE_SECONDS: '2', RECONCILE_ALL_SECONDS: '10' };

/** Opens two processes of the shop behind HAProxy, with the stand-ins as a third that both share. */
export const openShop = async (cluster: Cluster, folder: string, closers: Closers): Promise<ClusterShop> => {
  const door = `http://${cluster.plan.haproxy}:${PORTS.shop}`;
  const file = path.join(folder, 'stripe.sqlite');
  const webhook = `${door}/api/webhooks/stripe`;
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
  const processes: ReturnType<typeof startChild>[] = [];
  for (const n of [1, 2]) {
    const env = {
      NODE_ENV: 'production',
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? path.join(projectRoot, 'node_modules/.cache/compiled'),
      DOGEAR_MODE: 'demo',
      DOGEAR_CRASH_AT: '',
      PUBLIC_URL: door,
      DATA_DIR: path.join(folder, `shop${n}`),
      STANDINS_URL: standinsUrl,
      ...HURRY,
      ...cluster.shopEnv(n),
    };
    const child = startChild(projectRoot, 'src/server/main.ts', [], env, path.join(folder, `shop${n}.log`));
    processes.push(child);
    closers.push(async () => {
      child.kill('SIGTERM');
      const limit = setTimeout(() => child.kill('SIGKILL'), OPEN_LIMIT_MS);
      await child.exited;
      clearTimeout(limit);
    });
    // The first to come migrates and stocks the shop.
    await child.said(/Dogear is open at/);
  }
  const deadline = performance.now() + OPEN_LIMIT_MS;
  while (!(await fetch(`${door}/api/categories/count`).catch(() => undefined))?.ok) {
    if (performance.now() > deadline) throw new Error('The shop does not answer behind HAProxy.');
    await sleep(LOOK_AGAIN_MS);
  }
  return {
    door,
    provider: providerAt(standinsUrl),
    mailbox: `${standinsUrl}/mailbox`,
    processes: () => processes,
  };
};
