// What was proved before, so that a run that was interrupted goes on and an unchanged statement is not proved twice.
import { createHash } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { nameOf, root, type NamedTest } from '#test/specification/document.ts';
import type { Edit } from './removals.ts';
import type { Judgement } from './verdict.ts';

/**
 * What was caught, kept with the project: a line for each statement, so that another machine need not prove it again.
 */
const RECORD = path.join(root, 'lab/removals/proved.json');

/** All of it with what each failure said, for this machine. */
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
    .digest('hex')
    .slice(0, 16);
};

export interface Results {
  get(job: Job): Judgement | undefined;
  set(job: Job, judgement: Judgement): void;
  readonly file: string;
}

type Kept = Partial<Record<string, Judgement & { readonly numbers: readonly string[] }>>;

const readJson = <Content>(file: string): Partial<Record<string, Content>> => {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Record<string, Content>;
  } catch {
    // no earlier run
    return {};
  }
};

const byNumber = (record: Partial<Record<string, string>>): string => {
  const sorted = Object.entries(record).toSorted(([a], [b]) => a.localeCompare(b, 'en', { numeric: true }));
  return `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`;
};

const replaceFile = (file: string, content: string): void => {
  writeFileSync(`${file}.new`, content);
  renameSync(`${file}.new`, file);
};

/** The judgements of earlier runs, or none of them with `afresh`; each new one is written down at once. */
export const openResults = (afresh: boolean): Results => {
  const kept: Kept = afresh ? {} : readJson(FILE);
  const record = afresh ? {} : readJson<string>(RECORD);
  const isRecorded = ({ numbers, fingerprint }: Job): boolean =>
    numbers.every((number) => record[number] === fingerprint);
  return {
    file: FILE,
    get: (job) => kept[job.fingerprint] ?? (isRecorded(job) ? { verdict: 'caught', because: '' } : undefined),
    set: (job, judgement) => {
      kept[job.fingerprint] = { numbers: job.numbers, ...judgement };
      // Another run, of other statements, may be under way: what it has found is kept too.
      replaceFile(FILE, JSON.stringify({ ...readJson(FILE), ...kept }, null, 1));
      if (judgement.verdict !== 'caught') return;
      for (const number of job.numbers) record[number] = job.fingerprint;
      replaceFile(RECORD, byNumber({ ...readJson<string>(RECORD), ...record }));
    },
  };
};
