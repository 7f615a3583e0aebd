import type pg from 'pg';
import type { Slice } from '#lab/bench/serve/generator.ts';
import { cpuMsOf, cpuOfPostgres, spentBetween } from '#lab/bench/serve/processes.ts';
import type { Side } from '#lab/bench/serve/references.ts';
import type { Traffic } from '#lab/bench/serve/traffic.ts';

/** One side of a comparison, over all its slices. */
export interface Figures {
  readonly count: number;
  /** Requests a second. */
  readonly rate: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  /** CPU milliseconds a request; undefined where they cannot be told. */
  readonly appCpuMs: number | undefined;
  readonly postgresCpuMs: number | undefined;
  /** How busy the load generator was, at most 1. */
  readonly busy: number;
  /** Answers that were none of the expected ones, and connections that ended. */
  readonly wrong: number;
  readonly bytes: number;
}

/** What both sides of a comparison did, and the ratio of each pair of slices. */
export interface Pair {
  readonly shop: Figures;
  readonly reference: Figures;
  readonly ratios: readonly number[];
}

/** What a slice sends. */
export interface Load {
  readonly file: string;
  readonly once: boolean;
  readonly expected: number;
}

/** What is needed to measure anything. */
export interface Bench {
  readonly traffic: Traffic;
  /** Asks PostgreSQL for its processes; its own is not counted. */
  readonly client: pg.ClientBase;
  readonly isOurServer: boolean;
}

export interface Plan {
  readonly seconds: number;
  readonly connections: number;
  /** Called before each slice, outside of what is measured, with the slice that `load` gave before. */
  readonly load: (previous: Slice | undefined) => Promise<Load> | Load;
}

interface Taken {
  readonly slice: Slice;
  readonly appCpu: number | undefined;
  readonly postgresCpu: number | undefined;
  readonly expected: number;
}

/** Short enough that what disturbs one leaves the others alone. */
export const SLICES = 6;
/**
 * Slices before the first that counts: code is compiled for speed only once it has run for seconds, and a shop runs for
 * weeks. A list takes 0.4 ms of CPU in the first five seconds, and 0.27 after them.
 */
const WARM_UPS = 6;

/** The last slice that each `load` asked for. */
const lastSlices = new WeakMap<Plan['load'], Slice>();

const takeSlice = async (bench: Bench, side: Side, plan: Plan, ms: number): Promise<Taken> => {
  const { file, once, expected } = await plan.load(lastSlices.get(plan.load));
  const app = await cpuMsOf(side.pid);
  const postgres = await cpuOfPostgres(bench.client, bench.isOurServer);
  const slice = await bench.traffic.run({ port: side.port, connections: plan.connections, ms, file, once });
  if (slice.count === 0) throw new Error(`Nothing was answered within ${(ms / 1_000).toFixed(1)} s.`);
  lastSlices.set(plan.load, slice);
  const appAfter = await cpuMsOf(side.pid);
  return {
    slice,
    expected,
    appCpu: app === undefined || appAfter === undefined ? undefined : appAfter - app,
    postgresCpu: spentBetween(postgres, await cpuOfPostgres(bench.client, bench.isOurServer)),
  };
};

const sumOf = <Item>(items: readonly Item[], of: (item: Item) => number): number =>
  items.reduce((sum, item) => sum + of(item), 0);

const perRequest = (taken: readonly Taken[], of: (one: Taken) => number | undefined): number | undefined => {
  const all = taken.map(of);
  if (all.includes(undefined)) return undefined;
  return sumOf(all, (value) => value ?? 0) / sumOf(taken, ({ slice }) => slice.count);
};

const rateOf = ({ slice }: Taken): number => slice.count / slice.seconds;

const figuresOf = (taken: readonly Taken[]): Figures => {
  const times = new Float32Array(sumOf(taken, ({ slice }) => slice.count));
  let place = 0;
  for (const { slice } of taken) {
    times.set(slice.times, place);
    place += slice.times.length;
  }
  times.sort();
  const at = (share: number): number =>
    times[Math.min(times.length - 1, Math.floor(share * times.length))] ?? Number.NaN;
  const count = times.length;
  return {
    count,
    rate: count / sumOf(taken, ({ slice }) => slice.seconds),
    p50: at(0.5),
    p95: at(0.95),
    p99: at(0.99),
    appCpuMs: perRequest(taken, ({ appCpu }) => appCpu),
    postgresCpuMs: perRequest(taken, ({ postgresCpu }) => postgresCpu),
    busy: Math.max(...taken.map(({ slice }) => slice.busy)),
    wrong: sumOf(taken, ({ slice, expected }) => slice.lost + slice.count - (slice.statuses[expected] ?? 0)),
    bytes: sumOf(taken, ({ slice }) => slice.bytes) / Math.max(1, count),
  };
};

/** One side alone. */
export const measureAlone = async (bench: Bench, side: Side, plan: Plan): Promise<Figures> => {
  const ms = (plan.seconds / SLICES) * 1_000;
  for (let n = 0; n < WARM_UPS; n += 1) await takeSlice(bench, side, plan, ms);
  const taken: Taken[] = [];
  for (let n = 0; n < SLICES; n += 1) taken.push(await takeSlice(bench, side, plan, ms));
  return figuresOf(taken);
};

/**
 * Two sides in alternating slices, A B B A A B …, so that whatever else the machine does falls on both alike. Warms up
 * both first.
 */
export const measurePair = async (
  bench: Bench,
  sides: { shop: Side; reference: Side },
  plans: { shop: Plan; reference: Plan },
): Promise<Pair> => {
  const ms = (plans.shop.seconds / SLICES) * 1_000;
  const take = (which: 'shop' | 'reference'): Promise<Taken> => takeSlice(bench, sides[which], plans[which], ms);
  for (let n = 0; n < WARM_UPS; n += 1) {
    await take('shop');
    await take('reference');
  }
  const taken = { shop: [] as Taken[], reference: [] as Taken[] };
  for (let n = 0; n < SLICES; n += 1) {
    const order = n % 2 === 0 ? (['shop', 'reference'] as const) : (['reference', 'shop'] as const);
    for (const which of order) taken[which].push(await take(which));
  }
  const ratios = taken.shop.map((one, n) => {
    const other = taken.reference[n];
    return other === undefined ? Number.NaN : rateOf(one) / rateOf(other);
  });
  return { shop: figuresOf(taken.shop), reference: figuresOf(taken.reference), ratios };
};
