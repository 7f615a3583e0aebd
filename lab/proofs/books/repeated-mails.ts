import type { Delivery } from './outside.ts';

/**
 * The mailbox notes a mail a little after its last byte was sent: on a busy machine so much later at most, and its
 * sender may be dead by then.
 */
const LATE_MS = 5_000;

/** From an arrival to the next one of the same mail: within it a process died between sending and marking. */
interface Repeat {
  readonly messageId: string;
  readonly fromMs: number;
  readonly untilMs: number;
}

const repeatsOf = (deliveries: readonly Delivery[]): Repeat[] => {
  const byMail = Map.groupBy(deliveries, ({ messageId }) => messageId);
  return [...byMail].flatMap(([messageId, all]) => {
    const times = all.map(({ receivedAt }) => Date.parse(receivedAt)).toSorted((a, b) => a - b);
    return times.slice(1).map((untilMs, n) => ({ messageId, fromMs: (times[n] ?? 0) - LATE_MS, untilMs }));
  });
};

/**
 * The Message-IDs of mails that arrived once more without a death to explain it. A process sends one mail at a time, so
 * a death explains one repeat at most: each takes, of the repeats that it falls into, the one whose time is over first.
 */
export const unexplainedRepeats = (deliveries: readonly Delivery[], deaths: readonly number[]): string[] => {
  let open = repeatsOf(deliveries).toSorted((a, b) => a.untilMs - b.untilMs);
  for (const death of deaths.toSorted((a, b) => a - b)) {
    const explained = open.find(({ fromMs, untilMs }) => fromMs <= death && death <= untilMs);
    open = open.filter((repeat) => repeat !== explained);
  }
  return open.map(({ messageId }) => messageId);
};
