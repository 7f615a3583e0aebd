import path from 'node:path';
import { engageCast } from '#lab/proofs/crowd/people.ts';
import { openStage } from '#lab/proofs/stage.ts';
import { createBuyers } from './buying.ts';
import { createClient } from './client.ts';
import { until, type DrillOptions, type Outcome } from './drill.ts';
import { counted, load, newTally, wrongIn, type Sending } from './load.ts';
import { lookAround, readSights } from './visits.ts';

const root = path.join(import.meta.dirname, '../..');

const SIZES = {
  full: { restarts: 30, perSecond: 200 },
  short: { restarts: 1, perSecond: 40 },
} as const;
/** Of the requests each second, so many are the first step of a purchase. */
const PURCHASES_PER_SECOND = 2;
/** Visitors who ask now and then, each over a connection that is idle between. */
const PAUSING = 20;
const LONGEST_PAUSE_MS = 8_000;
/** People who listen to their messages, as open pages do: a stream that ends is asked for again. */
const LISTENING = 20;
const LISTEN_LIMIT_MS = 660_000;
const LISTEN_AGAIN_MS = 500;
const RESTART_LIMIT_MS = 60_000;
/** Until the database or the stand-in would be what is tried. */
const COPIES = 2_000;
const LEAVING_LIMIT_MS = 20_000;
/** Streams do not keep a shop that ends. */
const LEAVING_MS = 10_000;

/**
 * Replaces the workers of a shop with two of them again and again (SIGUSR2), under requests over connections that are
 * kept open, and ends the shop at last: no request may fail.
 */
export const drillRestart = async ({ say, short }: DrillOptions): Promise<Outcome> => {
  const { restarts, perSecond } = short ? SIZES.short : SIZES.full;
  const stage = await openStage({ tree: root, env: { WORKERS: '2', DATABASE_CONNECTIONS: '16' } });
  const problems: string[] = [];
  try {
    const [shop] = stage.apps;
    const process_ = shop.start();
    await process_.said(/Ctrl-C closes the shop/);
    const cast = await engageCast(stage.database.url, { buyers: COPIES, copies: COPIES });
    const sights = await readSights(stage.database.url);
    const url = `http://127.0.0.1:${shop.port}`;
    const clients = [
      createClient(url, { connections: 32, scheduling: 'lifo' }),
      createClient(url, { connections: 32, scheduling: 'fifo' }),
    ];
    const till = createClient(url, { connections: 8 });
    const buyers = createBuyers(till, stage.provider);
    const [visits, purchases, pausing, listening] = [newTally(), newTally(), newTally(), newTally()];
    let isOver = false;
    const buy =
      (n: number): Sending =>
      async () => {
        const [buyer, copy] = [cast.buyers[n], cast.copies[n]];
        if (buyer === undefined || copy === undefined) throw new Error('All copies are sold.');
        const purchase = await buyers.buy(buyer, copy);
        const isWell = 'paid' in purchase;
        const none = { status: 0, ms: 0, headers: {}, body: '', again: false };
        return {
          answered: (isWell ? undefined : purchase.answered) ?? none,
          what: isWell ? '' : purchase.step,
          isWell,
        };
      };
    const pause = async (n: number): Promise<void> => {
      const own = createClient(url, { connections: 1 });
      const look = lookAround([own], sights);
      for (let turn = 0; !isOver; turn += 1) {
        const until_ = performance.now() + ((n * 7_919 + turn * 104_729) % LONGEST_PAUSE_MS);
        await until(() => isOver || performance.now() > until_, LONGEST_PAUSE_MS);
        const { answered, what, isWell } = await look(n + turn)();
        pausing.asked += 1;
        if (answered.again) pausing.again += 1;
        if (!isWell) pausing.failed.push(`${what}: ${wrongIn(answered)}`);
      }
      own.close();
    };
    const listen = async (n: number): Promise<void> => {
      const buyer = cast.buyers[COPIES - 1 - n];
      if (buyer === undefined) throw new Error('There are too few buyers.');
      const own = createClient(url, { connections: 1, timeoutMs: LISTEN_LIMIT_MS });
      while (!isOver) {
        const token = await buyers.tokenOf(buyer);
        if (typeof token === 'string') {
          const headers = { authorization: `Bearer ${token}` };
          const answered = await own.ask({ path: '/api/threads/stream', headers });
          listening.asked += 1;
          if (answered.again) listening.again += 1;
          // Its first line comes at once, and its end is no cut.
          if (answered.status !== 200 || !answered.body.startsWith('{}\n'))
            listening.failed.push(`GET /api/threads/stream: ${wrongIn(answered)}`);
        } else listening.failed.push(`GET /api/jwt: ${wrongIn(token)}`);
        const until_ = performance.now() + LISTEN_AGAIN_MS;
        await until(() => isOver || performance.now() > until_, LISTEN_AGAIN_MS);
      }
      own.close();
    };
    say(
      `Two workers, ${perSecond} requests/s over connections that are kept open, ${PAUSING} visitors who pause, ${LISTENING} who listen.`,
    );
    // They listen until the shop has gone.
    const ears = Promise.all(Array.from({ length: LISTENING }, (_, n) => listen(n)));
    const traffic = Promise.all([
      load(visits, perSecond - PURCHASES_PER_SECOND, lookAround(clients, sights), () => isOver),
      load(purchases, PURCHASES_PER_SECOND, buy, () => isOver),
      ...Array.from({ length: PAUSING }, (_, n) => pause(n)),
    ]);
    const began = performance.now();
    let done = 0;
    try {
      for (; done < restarts; done += 1) {
        const before = process_.output().split('All workers were replaced.').length;
        process_.kill('SIGUSR2');
        const isReplaced = (): boolean => process_.output().split('All workers were replaced.').length > before;
        if (!(await until(isReplaced, RESTART_LIMIT_MS))) {
          problems.push(`Restart ${done + 1} came to no end.`);
          break;
        }
        const failed = [visits, purchases, pausing, listening].reduce((sum, tally) => sum + tally.failed.length, 0);
        say(
          `restart ${done + 1}: ${((performance.now() - began) / 1_000).toFixed(0)} s, ${visits.asked} requests, ${failed} failed`,
        );
      }
    } finally {
      isOver = true;
      await traffic;
    }
    process_.kill('SIGTERM');
    const leftAt = performance.now();
    const isGone = await until(() => !process_.isAlive(), LEAVING_LIMIT_MS);
    const tookMs = performance.now() - leftAt;
    const { code } = isGone ? await process_.exited : { code: null };
    await ears;
    for (const client of [...clients, till]) client.close();
    if (!isGone || code !== 0) problems.push(`After SIGTERM the shop ended with ${code}.`);
    const failed = [visits, purchases, pausing, listening].flatMap((tally) => tally.failed);
    if (failed.length > 0) problems.push(counted(failed));
    // Each was ended by every restart, and at last.
    if (listening.asked < LISTENING * 2) problems.push('Hardly anybody listened.');
    if (tookMs > LEAVING_MS) problems.push(`SIGTERM took ${Math.round(tookMs)} ms.`);
    if (purchases.asked === 0 || visits.asked < perSecond) problems.push('There was hardly any traffic.');
    const again = visits.again + pausing.again;
    return {
      shown:
        `${done} rolling restarts of two workers under ${perSecond} requests/s: ${visits.asked + pausing.asked} requests and ` +
        `${purchases.asked} purchases, ${listening.asked} streams, ${failed.length} failed, ${again} sent again as HTTP allows; ` +
        `SIGTERM ended the shop with ${code} after ${(tookMs / 1_000).toFixed(1)} s.`,
      problems,
    };
  } finally {
    await stage.close();
  }
};
