import type { Finding } from '#lab/proofs/books/finding.ts';
import { longestGap } from './gaps.ts';
import type { FailedRead, ReadKind } from './reads.ts';

/** Writes are back within this. */
const WRITES_AWAY_MS = 30_000;
/** Each kind of read is never away for longer. */
const READS_AWAY_MS = 2_000;

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

/** What was seen between two moments. */
export interface Seen {
  readonly scene: string;
  readonly fromMs: number;
  readonly toMs: number;
  /** When the shop gave its word. */
  readonly writes: readonly number[];
  readonly reads: {
    readonly answered: Readonly<Record<ReadKind, readonly number[]>>;
    readonly failed: readonly FailedRead[];
  };
  readonly say: (line: string) => void;
}

const tellFailed = (failed: readonly FailedRead[]): string => {
  const counts = new Map<string, number>();
  for (const { kind, says } of failed) counts.set(`${kind} ${says}`, (counts.get(`${kind} ${says}`) ?? 0) + 1);
  return [...counts].map(([what, count]) => `${count} × ${what}`).join(', ');
};

/** Tells the longest times without writes and reads, and whether they were too long. */
export const judge = ({ scene, fromMs, toMs, writes, reads, say }: Seen): Finding[] => {
  const findings: Finding[] = [];
  const written = longestGap(writes, fromMs, toMs);
  if (written.ms > WRITES_AWAY_MS) findings.push({ rule: 'writes', says: `${scene}: away for ${seconds(written.ms)}` });
  const gaps = Object.entries(reads.answered).map(([kind, times]) => {
    const gap = longestGap(times, fromMs, toMs);
    if (gap.ms > READS_AWAY_MS)
      findings.push({ rule: 'reads', says: `${scene}: ${kind}s away for ${seconds(gap.ms)}` });
    return `${kind}s ${seconds(gap.ms)}`;
  });
  const inside = (time: number): boolean => time >= fromMs && time <= toMs;
  const answered = Object.values(reads.answered).flat().filter(inside).length;
  const failed = reads.failed.filter(({ at }) => inside(at));
  say(
    `${scene}: the longest time without a write was ${seconds(written.ms)}, without reads ${gaps.join(', ')}; ` +
      `${answered} reads answered, ${failed.length === 0 ? 'none failed' : `${failed.length} failed (${tellFailed(failed)})`}.`,
  );
  return findings;
};
