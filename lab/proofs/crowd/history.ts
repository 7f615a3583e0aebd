import { appendFileSync, writeFileSync } from 'node:fs';

/** What a client did. `body` of an `ok` is what the shop promised by it. */
export type Deed = 'book' | 'cancel' | 'confirm' | 'intent' | 'record' | 'refund' | 'take-out';

/**
 * How it went, as a client can know it: `ok` and `fail` are the shop's word (done; not done), `info` is no word at all
 * (the connection broke, or it was answered that something else is down): it may have happened or not.
 */
export type Word = 'fail' | 'info' | 'invoke' | 'ok';

export interface Entry {
  /** Milliseconds since the run began, by a clock that only goes forward. */
  readonly at: number;
  readonly client: string;
  readonly deed: Deed;
  readonly word: Word;
  readonly about: Readonly<Record<string, string | number | null>>;
}

export type History = ReturnType<typeof openHistory>;

const LINES_AT_ONCE = 500;

/** The clients' log, in memory for the checker and in a file for whoever wants to know how it came to pass. */
export const openHistory = (file: string) => {
  writeFileSync(file, '');
  const entries: Entry[] = [];
  const began = performance.now();
  let written = 0;
  const flush = (): void => {
    const fresh = entries.slice(written);
    written = entries.length;
    if (fresh.length > 0) appendFileSync(file, fresh.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
  };
  return {
    entries: entries as readonly Entry[],
    note: (entry: Omit<Entry, 'at'>): void => {
      entries.push({ at: Math.round((performance.now() - began) * 1000) / 1000, ...entry });
      if (entries.length - written >= LINES_AT_ONCE) flush();
    },
    flush,
    count: (word: Word, deed?: Deed): number =>
      entries.filter((entry) => entry.word === word && (deed === undefined || entry.deed === deed)).length,
  };
};
