import { writeFileSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { cpus, loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { seededRandom } from '#standins/stripe/faults.ts';
import { check } from '#lab/proofs/books/check.ts';
import type { Finding } from '#lab/proofs/books/finding.ts';
import { openHistory } from '#lab/proofs/crowd/history.ts';
import { engageCast } from '#lab/proofs/crowd/people.ts';
import { createShopClient } from '#lab/proofs/crowd/shop-client.ts';
import { startBuying, withTimes } from './buying.ts';
import { openCluster, type Closers, type Cluster } from './cluster.ts';
import { judge } from './judge.ts';
import type { Programs } from './needed.ts';
import { startReading } from './reads.ts';
import { CARELESS_SCENES, SCENES, type Scene, type SceneTools } from './scenes.ts';
import { openShop, type ClusterShop } from './shop.ts';

export interface DrillOptions {
  readonly programs: Programs;
  readonly seed: number;
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
  /** Leaves the folder with all logs behind. */
  readonly keep: boolean;
  /** With a planted mistake, which it must find: commits wait for no replica. */
  readonly isCareless: boolean;
}

/** Somebody pressed Ctrl-C. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

const BUYERS = 120;
const COPIES = 6_000;
/** Longer than any outage that is allowed. */
const PATIENCE_MS = 60_000;
const CALM_MS = 8_000;
const LATE_EVERY_MS = 100;

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** How late this process itself was at most: what it measures is no better than that. */
const watchOneself = () => {
  let worst = 0;
  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    worst = Math.max(worst, now - last - LATE_EVERY_MS);
    last = now;
  }, LATE_EVERY_MS);
  return () => {
    clearInterval(timer);
    return worst;
  };
};

/** Runs the drill on a cluster of its own, and clears it away whatever happens; answers what was found. */
export const drill = async (options: DrillOptions): Promise<Finding[]> => {
  const folder = await mkdtemp(path.join(tmpdir(), 'dogear-cluster-'));
  // Run as root, the servers belong to another user, who must pass through.
  await chmod(folder, 0o711);
  const closers: Closers = [];
  const began = performance.now();
  const say = (line: string): void =>
    options.say(`${((performance.now() - began) / 1000).toFixed(1).padStart(6)} s  ${line}`);
  try {
    const interruption = new Promise<never>((_resolve, reject) => {
      const give = (): void => reject(new Interrupted());
      options.signal.addEventListener('abort', give);
      if (options.signal.aborted) give();
    });
    const work = play({ ...options, say }, folder, closers);
    work.catch(() => {});
    return await Promise.race([work, interruption]);
  } finally {
    for (const step of closers.splice(0).reverse()) await step();
    if (options.keep) say(`The logs are in ${folder}.`);
    else await rm(folder, { recursive: true, force: true });
  }
};

const play = async (options: DrillOptions, folder: string, closers: Closers): Promise<Finding[]> => {
  const { say } = options;
  say(`This machine: ${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)}.`);
  const cluster = await openCluster({
    programs: options.programs,
    isCareless: options.isCareless,
    folder,
    closers,
    say,
  });
  const shop = await openShop(cluster, folder, closers);
  say('The shop: two processes behind HAProxy, and the payment stand-in.');
  return trade(options, { cluster, shop, folder });
};

interface Stage {
  readonly cluster: Cluster;
  readonly shop: ClusterShop;
  readonly folder: string;
}

/** Buying and reading without end, one scene after the other; then both sides' books are compared. */
const trade = async (options: DrillOptions, { cluster, shop, folder }: Stage): Promise<Finding[]> => {
  const { say } = options;
  const random = seededRandom(options.seed);
  const { history, times } = withTimes(openHistory(path.join(folder, 'history.jsonl')));
  const cast = await engageCast(cluster.ownerUrl, { buyers: BUYERS, copies: COPIES });
  const client = createShopClient(() => shop.door);
  await client.signIn(cast.buyers);
  const reads = startReading(shop.door, cast.copies, random);
  const buying = startBuying(
    { shop: client, provider: shop.provider, history, random, patienceMs: PATIENCE_MS, admin: cast.admin },
    cast.buyers,
    cast.copies,
  );
  const lateness = watchOneself();
  const tools: SceneTools = { cluster, say, writes: times };
  const findings: Finding[] = [];
  const atWork = shop.processes().map(({ pid }) => pid);
  await sleep(CALM_MS);
  const passed: { scene: Scene; fromMs: number; toMs: number }[] = [];
  for (const scene of options.isCareless ? CARELESS_SCENES : SCENES) {
    const fromMs = performance.now();
    say(`${scene.name}.`);
    await scene.play(tools);
    await sleep(CALM_MS);
    passed.push({ scene, fromMs, toMs: performance.now() });
  }
  await buying.stop();
  await reads.stop();
  writeFileSync(
    path.join(folder, 'failed-reads.jsonl'),
    reads.failed
      .map((read) => `${JSON.stringify({ ...read, at: new Date(performance.timeOrigin + read.at) })}\n`)
      .join(''),
  );
  for (const { scene, fromMs, toMs } of passed) {
    findings.push(...judge({ scene: scene.name, fromMs, toMs, writes: times, reads, say }));
  }
  const ok = (deed: Parameters<typeof history.count>[1]): number => history.count('ok', deed);
  say(
    `Bought: ${buying.begun()} copies were wanted; ${ok('book')} bookings, ${ok('record')} payments, ${ok('cancel')} cancellations ` +
      `and ${ok('refund')} refunds were acknowledged, ${history.count('info')} tries had no answer or a 503.`,
  );
  const stopped = shop.processes().filter(({ pid, isAlive }, n) => !isAlive() || pid !== atWork[n]);
  if (stopped.length > 0) findings.push({ rule: 'no restart', says: `${stopped.length} processes of the shop ended` });
  say(`The drill itself was late by ${lateness().toFixed(0)} ms at most; load ${loadavg()[0]?.toFixed(1)}.`);
  findings.push(
    ...(await check({
      stage: {
        database: { url: cluster.ownerUrl },
        provider: shop.provider,
        mailbox: shop.mailbox,
        // Here only databases die, and a mail that was sent is marked when one is back.
        deaths: () => [],
      },
      shop: client,
      history,
      cast,
      waitsForLeases: true,
      say,
    })),
  );
  history.flush();
  return findings;
};
