import type { Answered } from './client.ts';
import { sleep } from './drill.ts';

/** What became of the requests of a load. */
export interface Tally {
  asked: number;
  /** Sent a second time, as HTTP allows. */
  again: number;
  /** One line for each request that failed, or was answered as it should not be. */
  readonly failed: string[];
  readonly times: { readonly at: number; readonly ms: number }[];
}

/** What went wrong, in a few words. */
export const wrongIn = ({ status, why, body }: Answered): string => {
  if (status === 0) return why ?? 'no answer';
  const message = /"message":"([^"]*)"/.exec(body)?.[1];
  return message === undefined ? String(status) : `${status} (${message})`;
};

export const newTally = (): Tally => ({ asked: 0, again: 0, failed: [], times: [] });

/** One request of a load: sends it and tells how it ended, with what it should have been answered. */
export type Sending = () => Promise<{ answered: Answered; what: string; isWell: boolean }>;

const TICK_MS = 5;

/**
 * Begins `perSecond` requests a second, whether or not those before were answered, until `isOver`; resolves when the
 * last was. A moment in which this process itself was late is made up for.
 */
export const load = async (
  tally: Tally,
  perSecond: number,
  next: (n: number) => Sending,
  isOver: () => boolean,
): Promise<void> => {
  const began = performance.now();
  const open = new Set<Promise<void>>();
  let begun = 0;
  while (!isOver()) {
    const due = ((performance.now() - began) / 1_000) * perSecond;
    for (; begun < due; begun += 1) {
      const at = performance.now();
      const one = next(begun)().then(({ answered, what, isWell }) => {
        tally.asked += 1;
        if (answered.again) tally.again += 1;
        if (isWell) tally.times.push({ at, ms: answered.ms });
        else tally.failed.push(`${what}: ${wrongIn(answered)}`);
      });
      open.add(one);
      void one.finally(() => open.delete(one));
    }
    await sleep(TICK_MS);
  }
  await Promise.all(open);
};

/** The time that one answer in a hundred takes at least, in ms. */
export const p99Of = ({ times }: Tally): number => {
  const sorted = times.map(({ ms }) => ms).toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(0.99 * sorted.length))] ?? 0;
};

/** How often each line is there, the most frequent first: `3 × GET /: ECONNRESET`. */
export const counted = (lines: readonly string[]): string => {
  const counts = new Map<string, number>();
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1);
  return [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, 8)
    .map(([line, count]) => `${count} × ${line}`)
    .join('; ');
};
