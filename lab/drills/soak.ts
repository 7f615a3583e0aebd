import path from 'node:path';
import pg from 'pg';
import { freePort } from '#test/free-port.ts';
import { engageCast } from '#lab/proofs/crowd/people.ts';
import { openStage } from '#lab/proofs/stage.ts';
import { createBuyers } from './buying.ts';
import { createClient } from './client.ts';
import { sleep, type Outcome, type Say } from './drill.ts';
import { counted, load, newTally, p99Of, wrongIn } from './load.ts';
import { lookAround, readSights } from './visits.ts';

const root = path.join(import.meta.dirname, '../..');

const PER_SECOND = 100;
const PURCHASE_EACH_MS = 2_000;
const LOOK_MS = 5_000;
/** Caches fill and code is compiled in this share of the time; what is held after it is what is compared. */
const WARM_SHARE = 1 / 3;
const MOST_GROWTH = 0.05;
const OLDEST_MAIL_SECONDS = 10;

interface Look {
  readonly at: number;
  readonly memory: number;
  readonly connections: number;
  readonly oldestMail: number;
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** One number of /metrics, summed over its labels. */
const valueOf = (metrics: string, name: string): number =>
  [...metrics.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'gm'))].reduce(
    (sum, [, n]) => sum + Number(n),
    0,
  );

/**
 * Steady visits and purchases for `minutes`: memory must not grow, connections not leak, mail not wait, and the books
 * agree with the provider's to the cent.
 */
export const drillSoak = async ({ say, minutes }: { say: Say; minutes: number }): Promise<Outcome> => {
  const metricsPort = await freePort();
  const stage = await openStage({ tree: root, env: { METRICS_PORT: String(metricsPort), CACHE_MB: '8' } });
  const problems: string[] = [];
  const db = new pg.Client({ connectionString: stage.database.url, application_name: 'soak' });
  try {
    const [shop] = stage.apps;
    await shop.start().said(/Ctrl-C closes the shop/);
    await db.connect();
    const url = `http://127.0.0.1:${shop.port}`;
    const forMs = minutes * 60_000;
    const copies = Math.ceil(forMs / PURCHASE_EACH_MS) + 10;
    const cast = await engageCast(stage.database.url, { buyers: copies, copies });
    const sights = await readSights(stage.database.url);
    const clients = [createClient(url, { connections: 16 }), createClient(url, { connections: 16 })];
    const till = createClient(url, { connections: 8 });
    const buyers = createBuyers(till, stage.provider);
    const [visits, failed] = [newTally(), [] as string[]];
    const looks: Look[] = [];
    let bought = 0;
    const began = performance.now();
    const isOver = (): boolean => performance.now() - began > forMs;
    const buy = async (): Promise<void> => {
      for (let n = 0; !isOver(); n += 1) {
        const [buyer, copy] = [cast.buyers[n], cast.copies[n]];
        const nextAt = performance.now() + PURCHASE_EACH_MS;
        if (buyer !== undefined && copy !== undefined) {
          const ended = await buyers.buy(buyer, copy);
          if ('paid' in ended) bought += 1;
          else failed.push(`${ended.step}: ${ended.answered === undefined ? 'declined' : wrongIn(ended.answered)}`);
        }
        await sleep(Math.max(0, nextAt - performance.now()));
      }
    };
    const look = async (): Promise<Look> => {
      const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
      const { rows } = await db.query<{ n: number }>(
        `SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND application_name <> 'soak'`,
      );
      return {
        at: performance.now() - began,
        memory: valueOf(metrics, 'dogear_memory_bytes') / 1e6,
        connections: rows[0]?.n ?? 0,
        oldestMail: valueOf(metrics, 'dogear_outbox_oldest_seconds'),
      };
    };
    const watch = async (): Promise<void> => {
      let toldAt = 0;
      while (!isOver()) {
        await sleep(LOOK_MS);
        const seen = await look();
        looks.push(seen);
        if (seen.at - toldAt < 60_000) continue;
        toldAt = seen.at;
        say(
          `${(seen.at / 60_000).toFixed(0)} min: ${seen.memory.toFixed(0)} MB, ${seen.connections} connections, ` +
            `${visits.asked} visits, ${bought} purchases, oldest mail ${seen.oldestMail.toFixed(1)} s`,
        );
      }
    };
    say(`${minutes} minutes, ${PER_SECOND} requests/s, a purchase each ${PURCHASE_EACH_MS / 1_000} s.`);
    await Promise.all([load(visits, PER_SECOND, lookAround(clients, sights), isOver), buy(), watch()]);
    for (const client of [...clients, till]) client.close();
    const warm = looks.filter(({ at }) => at > forMs * WARM_SHARE);
    const third = Math.max(1, Math.floor(warm.length / 3));
    const growth =
      mean(warm.slice(-third).map(({ memory }) => memory)) / mean(warm.slice(0, third).map(({ memory }) => memory)) - 1;
    const [first, last] = [warm[0]?.connections ?? 0, looks.at(-1)?.connections ?? 0];
    const most = Math.max(...warm.map(({ connections }) => connections));
    const oldest = Math.max(...looks.map(({ oldestMail }) => oldestMail));
    const books = await stage.provider.readBooks();
    const theirs = books.intents
      .filter(({ status }) => status === 'succeeded')
      .reduce((sum, { amount }) => sum + amount, 0);
    const { rows } = await db.query<{ cents: number }>(
      'SELECT coalesce(sum(amount_cents), 0)::int AS cents FROM payments',
    );
    const difference = theirs - (rows[0]?.cents ?? 0);
    if (!(growth < MOST_GROWTH)) problems.push(`Memory grew by ${(growth * 100).toFixed(1)} %.`);
    // A pool may open what it may have; more than at most one for each that it may, and the listener's, is a leak.
    if (last > Math.max(first, 16) || most > 16) problems.push(`There were ${most} connections, ${last} at the end.`);
    if (oldest >= OLDEST_MAIL_SECONDS) problems.push(`A mail waited for ${oldest.toFixed(1)} s.`);
    if (difference !== 0) problems.push('The books differ.');
    const wrong = [...visits.failed, ...failed];
    if (wrong.length > 0) problems.push(`Failed: ${counted(wrong)}.`);
    if (bought === 0) problems.push('Nothing was bought.');
    return {
      shown:
        `${minutes} min at ${PER_SECOND} requests/s, ${visits.asked} visits (p99 ${p99Of(visits).toFixed(0)} ms) and ${bought} purchases, ${wrong.length} failed: ` +
        `memory grew ${(growth * 100).toFixed(1)} %, ${last} connections, oldest mail ${oldest.toFixed(1)} s, books and provider differ by ${difference} cents.`,
      problems,
    };
  } finally {
    await db.end().catch(() => {});
    await stage.close();
  }
};
