import path from 'node:path';
import { openStage } from '#lab/proofs/stage.ts';
import { freePort } from '#test/free-port.ts';
import { createClient, type Client } from './client.ts';
import { sleep, until, type DrillOptions, type Outcome } from './drill.ts';
import { counted, load, newTally, p99Of, wrongIn, type Sending } from './load.ts';
import { readSights, type Sights } from './visits.ts';

const root = path.join(import.meta.dirname, '../..');

const SIZES = {
  full: { warmMs: 5_000, measureMs: 10_000, overMs: 20_000 },
  short: { warmMs: 1_000, measureMs: 2_000, overMs: 4_000 },
} as const;

/** As many ask at once while the capacity is measured: enough that the shop is never idle. */
const CROWD = 24;
/** An answer that comes later is good for nobody. */
const GOOD_MS = 2_000;
/** Who is turned away learns it within this. */
const QUICK_MS = 500;
const LEAST_GOODPUT = 0.8;
/** Asked of kept answers and of the health port meanwhile. */
const BESIDE_PER_SECOND = 10;
const MOST_KEPT_MISSED = 0.02;

let asked = 0;

/** A search that nobody made before: never kept. */
const newSearch = ({ words }: Sights): string => {
  asked += 1;
  const [first, second] = [words[asked % words.length], words[(asked * 7 + 3) % words.length]];
  return `/api/search?q=${encodeURIComponent(`${first} ${second}`)}&limit=${1 + (asked % 40)}&max=${1 + (asked % 9_000)}`;
};

/** Searches answered within `forMs` by a crowd who each ask again as soon as they are answered. */
const measureCapacity = async (client: Client, sights: Sights, forMs: number): Promise<number> => {
  const deadline = performance.now() + forMs;
  let good = 0;
  const one = async (): Promise<void> => {
    while (performance.now() < deadline) {
      const { status } = await client.ask({ path: newSearch(sights) });
      if (status === 200) good += 1;
      else await sleep(10);
    }
  };
  await Promise.all(Array.from({ length: CROWD }, one));
  return (good * 1_000) / forMs;
};

/** So many searches a second whether or not they are answered. */
const press = async (client: Client, sights: Sights, perSecond: number, forMs: number) => {
  const tally = newTally();
  const refusedAfter = newTally();
  let late = 0;
  const search = (): Sending => async () => {
    const answered = await client.ask({ path: newSearch(sights) });
    const isRefused = answered.status === 503 && answered.headers['retry-after'] !== undefined;
    if (isRefused) refusedAfter.times.push({ at: 0, ms: answered.ms });
    if (answered.status === 200 && answered.ms > GOOD_MS) late += 1;
    return { answered, what: 'search', isWell: answered.status === 200 || isRefused };
  };
  const began = performance.now();
  await load(tally, perSecond, search, () => performance.now() - began > forMs);
  const seconds = (performance.now() - began) / 1_000;
  const refused = refusedAfter.times.length;
  return {
    goodput: (tally.times.length - refused - late) / seconds,
    refused,
    asked: tally.asked,
    refusedP99: p99Of(refusedAfter),
    failed: tally.failed,
    late,
  };
};

/**
 * Asks for twice of what the shop can answer: what it answers must not become less, the rest must be turned away
 * quickly.
 */
export const drillOverload = async ({ say, short }: DrillOptions): Promise<Outcome> => {
  const size = short ? SIZES.short : SIZES.full;
  const metricsPort = await freePort();
  const stage = await openStage({ tree: root, env: { METRICS_PORT: String(metricsPort) } });
  const problems: string[] = [];
  try {
    const [shop] = stage.apps;
    await shop.start().said(/Ctrl-C closes the shop/);
    const url = `http://127.0.0.1:${shop.port}`;
    const sights = await readSights(stage.database.url);
    const crowd = createClient(url, { connections: 512, scheduling: 'fifo' });
    const beside = createClient(url, { connections: 8 });
    const health = createClient(`http://127.0.0.1:${metricsPort}`, { connections: 4 });
    await measureCapacity(crowd, sights, size.warmMs);
    const capacity = await measureCapacity(crowd, sights, size.measureMs);
    const once = await press(crowd, sights, capacity, size.measureMs);
    const tell = (name: string, told: typeof once): void =>
      say(
        `${name}: ${told.asked} asked, ${told.goodput.toFixed(0)} good answers/s, ` +
          `${told.refused} turned away (p99 ${told.refusedP99.toFixed(0)} ms), ${told.late} late`,
      );
    say(`A crowd of ${CROWD} is answered ${capacity.toFixed(0)} searches/s.`);
    tell('1x', once);
    const [kept, checks] = [newTally(), newTally()];
    let isOver = false;
    const keptAnswer = (): Sending => async () => {
      const answered = await beside.ask({ path: '/api/categoryName' });
      return { answered, what: 'a kept answer', isWell: answered.status === 200 };
    };
    const check = (): Sending => async () => {
      const answered = await health.ask({ path: '/health/live' });
      return { answered, what: 'health', isWell: answered.status === 200 };
    };
    await beside.ask({ path: '/api/categoryName' });
    const others = Promise.all([
      load(kept, BESIDE_PER_SECOND, keptAnswer, () => isOver),
      load(checks, BESIDE_PER_SECOND, check, () => isOver),
    ]);
    // Four times in a short run, whose measure of the capacity is rough.
    const times = short ? 4 : 2;
    const twice = await press(crowd, sights, times * capacity, size.overMs);
    isOver = true;
    await others;
    tell(`${times}x`, twice);
    const isWell = await until(async () => (await crowd.ask({ path: newSearch(sights) })).status === 200, 10_000);
    for (const client of [crowd, beside, health]) client.close();
    const peak = Math.max(capacity, once.goodput);
    const share = twice.goodput / peak;
    const failed = [...once.failed, ...twice.failed, ...checks.failed];
    // A process that gets no time to hear notifications answers nothing from memory for longer than a second.
    if (kept.failed.length > kept.asked * MOST_KEPT_MISSED) failed.push(...kept.failed);
    if (failed.length > 0) problems.push(`Answered otherwise: ${counted(failed)}.`);
    if (twice.refused === 0) problems.push('Nobody was turned away, so it was no overload.');
    if (!isWell) problems.push(`Afterwards it did not answer again (${wrongIn(await beside.ask({ path: '/' }))}).`);
    // What takes how long is nothing that a short run on a busy machine tells.
    if (!short && share < LEAST_GOODPUT) problems.push('That is too little.');
    if (!short && twice.refusedP99 > QUICK_MS) problems.push('They were told too late.');
    return {
      shown:
        `${times} times what the shop can answer (${peak.toFixed(0)} searches/s): ${(share * 100).toFixed(0)} % of that were good answers, ` +
        `${((twice.refused / twice.asked) * 100).toFixed(0)} % of all were turned away (503, p99 ${twice.refusedP99.toFixed(0)} ms); ` +
        `${kept.asked} kept answers and ${checks.asked} looks at its health beside it, ${failed.length} failed.`,
      problems,
    };
  } finally {
    await stage.close();
  }
};
