// What was proved before, so that a run that was interrupted goes on and an unchanged statement is not proved twice.
import { createHash } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { nameOf, root, type NamedTest } from '#test/specification/document.ts';
import type { Edit } from '#test/specification/removals.ts';
import type { Judgement } from './verdict.ts';

const FILE = path.join(tmpdir(), `dogear-proof-${createHash('sha256').update(root).digest('hex').slice(0, 12)}.json`);

/** A removal with the tests that must notice it, for all statements that share both. */
export interface Job {
  readonly numbers: readonly string[];
  readonly tests: readonly NamedTest[];
  readonly edits: readonly Edit[];
  /** Of all that the proof stands on, as it was when the run began. */
  readonly fingerprint: string;
}

const textOf = (file: string): string => {
  try {
    return readFileSync(path.join(root, file), 'utf8');
  } catch {
    return '';
  }
};

/** Changes with what is taken out, where it is taken out, and the files of the tests. */
export const fingerprintOf = (tests: readonly NamedTest[], edits: readonly Edit[]): string => {
  const files = [...new Set([...edits.map(({ file }) => file), ...tests.map(({ file }) => file)])].toSorted();
  return createHash('sha256')
    .update(JSON.stringify([edits, tests.map((test) => nameOf(test)), files.map((file) => textOf(file))]))
    .digest('hex');
};

export interface Results {
  get(job: Job): Judgement | undefined;
  set(job: Job, judgement: Judgement): void;
  readonly file: string;
}

type Kept = Record<string, Judgement & { readonly numbers: readonly string[] }>;

const readKept = (): Kept => {
  try {
    return JSON.parse(readFileSync(FILE, 'utf8')) as Kept;
  } catch {
    // no earlier run
    return {};
  }
};

/** The judgements of earlier runs, or none of them with `afresh`; each new one is written down at once. */
export const openResults = (afresh: boolean): Results => {
  const kept = afresh ? {} : readKept();
  return {
    file: FILE,
    get: (job) => kept[job.fingerprint],
    set: (job, judgement) => {
      kept[job.fingerprint] = { numbers: job.numbers, ...judgement };
      // Another run, of other statements, may be under way: what it has found is kept too.
      writeFileSync(`${FILE}.new`, JSON.stringify({ ...readKept(), ...kept }, null, 1));
      renameSync(`${FILE}.new`, FILE);
    },
  };
};
