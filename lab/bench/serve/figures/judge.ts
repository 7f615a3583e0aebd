// Whether a bar is held, and the sentence that is said where it is not.
import type { Ceiling, PairBar, Results } from './bars.ts';
import type { Figures } from './measure.ts';
import type { Alone, Compared } from '#lab/bench/serve/parts.ts';

/** Above this the load generator may be what is measured. */
export const TOO_BUSY = 0.97;
/** More kept or computed answers than this part are not what was to be measured. */
const STRAY = 0.02;

const ms = (value: number | undefined): string => (value === undefined ? '?' : value.toFixed(3));

const cpuOf = ({ appCpuMs, postgresCpuMs }: Figures): string => `${ms(appCpuMs)} + ${ms(postgresCpuMs)} ms`;

/** Where the difference to the reference comes from, by the CPU that both took. */
const whereItGoes = ({ shop, reference }: Compared): string => {
  if (shop.appCpuMs === undefined || reference.appCpuMs === undefined) return 'CPU cannot be told here';
  const own = shop.appCpuMs - reference.appCpuMs;
  const database = (shop.postgresCpuMs ?? 0) - (reference.postgresCpuMs ?? 0);
  const larger = own >= database ? 'in the app' : 'in PostgreSQL';
  return `${cpuOf(shop)} of app + PostgreSQL against ${cpuOf(reference)}: the difference is mostly ${larger}`;
};

/** What makes a figure doubtful, in words. */
const doubtsOf = (pair: Compared, bar: PairBar): string[] => [
  ...(Math.max(pair.shop.busy, pair.reference.busy) > TOO_BUSY
    ? [
        `the load generator was busy ${Math.round(pair.shop.busy * 100)} % with the shop and ${Math.round(pair.reference.busy * 100)} % with the reference`,
      ]
    : []),
  ...(pair.shop.wrong + pair.reference.wrong > 0
    ? [`${pair.shop.wrong} and ${pair.reference.wrong} answers were not the expected ones`]
    : []),
  ...(Math.abs(pair.keptShare - bar.kept) > STRAY
    ? [`${Math.round(pair.keptShare * 100)} % came from kept answers`]
    : []),
];

export interface Verdict {
  readonly held: boolean;
  /** Why it is missed, and what is doubtful. */
  readonly notes: readonly string[];
}

export interface PairVerdict {
  readonly held: boolean;
  /** Where the time goes, where it is missed. */
  readonly why: string | undefined;
  readonly doubts: readonly string[];
}

/** The median of the ratios of all pairs of slices: what disturbs one does not move it. */
export const ratioOf = ({ ratios }: Pick<Compared, 'ratios'>): number => {
  const sorted = ratios.toSorted((a, b) => a - b);
  const half = sorted.length / 2;
  return ((sorted[Math.ceil(half) - 1] ?? Number.NaN) + (sorted[Math.floor(half)] ?? Number.NaN)) / 2;
};

export const judgePair = (pair: Compared, bar: PairBar): PairVerdict => {
  const held = ratioOf(pair) >= bar.least;
  return { held, why: held ? undefined : whereItGoes(pair), doubts: doubtsOf(pair, bar) };
};

/** How many cores a measurement kept busy. */
const coresOf = ({ rate, appCpuMs, postgresCpuMs }: Alone): string =>
  appCpuMs === undefined || postgresCpuMs === undefined
    ? '?'
    : ((rate * (appCpuMs + postgresCpuMs)) / 1_000).toFixed(1);

const whyAbove = ({ key }: Ceiling, { alone, news, starts, memory }: Results): string => {
  const few = alone[key];
  if (few !== undefined) {
    const bare = alone[`${key}-reference`];
    return (
      `${ms(few.appCpuMs)} + ${ms(few.postgresCpuMs)} ms of app + PostgreSQL a request at ${Math.round(few.rate)} a second ` +
      `keep ${coresOf(few)} cores busy; half were answered within ${few.p50.toFixed(1)} ms` +
      (bare === undefined ? '' : `; the reference, asked the same way: p99 ${bare.p99.toFixed(1)} ms`)
    );
  }
  if (key === 'news' && news !== undefined)
    return `half took ${news.p50.toFixed(1)} ms, 99 of 100 ${news.p99.toFixed(1)} ms`;
  if (key === 'start' && starts !== undefined) return `the fastest took ${Math.min(...starts).toFixed(0)} ms`;
  return `its highest was ${Math.round(memory?.highest ?? Number.NaN)} MB`;
};

export const judgeCeiling = (ceiling: Ceiling, results: Results): Verdict | undefined => {
  const { found, most } = ceiling;
  if (found === undefined || most === undefined) return undefined;
  return found <= most ? { held: true, notes: [] } : { held: false, notes: [whyAbove(ceiling, results)] };
};
