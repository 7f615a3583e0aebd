import type { Copy } from '#lab/proofs/crowd/people.ts';

/** What is read, each without whatever was kept: every answer comes from a database. */
const KINDS = ['book', 'list', 'page'] as const;
export type ReadKind = (typeof KINDS)[number];

/** A read that was not answered 200. */
export interface FailedRead {
  readonly at: number;
  readonly kind: ReadKind;
  readonly says: string;
}

const READERS_OF_EACH = 2;
const PAUSE_MS = 50;
/** Who waits longer has gone elsewhere. */
const LIMIT_MS = 2_000;

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Who speaks: the shop's own code of a refusal, or HAProxy that has nobody to ask. */
const saysOf = (text: string): string => {
  if (text.includes('No server is available')) return ' of HAProxy';
  const code = /"code":"(\w+)"/.exec(text)?.[1];
  return code === undefined ? '' : ` ${code}`;
};

/** Reads without end, as many people at once who are nobody in particular; times are of `performance.now()`. */
export const startReading = (door: string, copies: readonly Copy[], random: () => number) => {
  const answered: Record<ReadKind, number[]> = { book: [], list: [], page: [] };
  const failed: FailedRead[] = [];
  let slowestMs = 0;
  let isOver = false;

  const addressOf = (kind: ReadKind): string => {
    if (kind === 'list') return `${door}/api/category/prove`;
    if (kind === 'page') return `${door}/category/prove`;
    return `${door}/api/categories/${copies[Math.floor(random() * copies.length)]?.id}`;
  };

  const read = async (kind: ReadKind): Promise<void> => {
    const began = performance.now();
    try {
      const answer = await fetch(addressOf(kind), {
        headers: { 'cache-control': 'no-cache' },
        signal: AbortSignal.timeout(LIMIT_MS),
      });
      const text = await answer.text();
      const at = performance.now();
      if (answer.status === 200) {
        answered[kind].push(at);
        slowestMs = Math.max(slowestMs, at - began);
      } else failed.push({ at, kind, says: `${answer.status}${saysOf(text)}` });
    } catch (error) {
      const says = error instanceof Error ? error.name : String(error);
      failed.push({ at: performance.now(), kind, says });
    }
  };

  const reader = async (kind: ReadKind): Promise<void> => {
    while (!isOver) {
      await read(kind);
      await sleep(PAUSE_MS);
    }
  };
  const readers = KINDS.flatMap((kind) => Array.from({ length: READERS_OF_EACH }, () => reader(kind)));

  return {
    answered: answered as Readonly<Record<ReadKind, readonly number[]>>,
    failed: failed as readonly FailedRead[],
    slowestMs: () => slowestMs,
    stop: async (): Promise<void> => {
      isOver = true;
      await Promise.all(readers);
    },
  };
};
