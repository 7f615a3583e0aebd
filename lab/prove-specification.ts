// npm run prove:specification -w lab: takes out the feature of each statement of docs/specification.md and sees its
// tests fail.
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { startEmbeddedPostgres } from '#server/platform/demo/embedded-postgres.ts';
import { nameOf, noteProof, readStatements, type NamedTest } from '#test/specification/document.ts';
import { readRemovals } from './removals/removals.ts';
import { fingerprintOf, openResults, type Job } from './removals/results.ts';
import { failing, judge, type Judgement } from './removals/verdict.ts';
import { openWorkplace, type Workplace } from './removals/workplace.ts';

const USAGE = `npm run prove:specification -w lab -- [NUMBER…] [--afresh] [--workers N]

Takes out the feature behind each statement of docs/specification.md, in a copy of the project, and expects each of its tests to fail.

  NUMBER        statements that begin with it, such as 7. or 8.03 (default: all)
  --afresh      prove again what an earlier run has proved and nobody has changed since
  --workers N   how many copies of the project work at the same time (default 2)
`;

const readOptions = () => {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { afresh: { type: 'boolean' }, workers: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
    });
    const workers = Number(values.workers ?? 2);
    if (!Number.isInteger(workers) || workers < 1 || workers > 16)
      throw new Error('--workers takes a number from 1 to 16');
    return { help: values.help === true, afresh: values.afresh === true, workers, prefixes: positionals };
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${USAGE}`);
    process.exit(1);
  }
};

/** One job for all chosen statements with the same edits and tests. */
const jobsFor = (prefixes: readonly string[]): Job[] => {
  const removals = readRemovals();
  const jobs = new Map<string, Job>();
  for (const { number, provedBy: tests } of readStatements()) {
    if (prefixes.length > 0 && !prefixes.some((prefix) => number.startsWith(prefix))) continue;
    const edits = removals.get(number) ?? [];
    const fingerprint = fingerprintOf(tests, edits);
    const numbers = [...(jobs.get(fingerprint)?.numbers ?? []), number];
    jobs.set(fingerprint, { numbers, tests, edits, fingerprint });
  }
  return [...jobs.values()];
};

const began = performance.now();
const elapsed = (): string => {
  const seconds = Math.round((performance.now() - began) / 1000);
  return `${String(Math.floor(seconds / 60)).padStart(2)}:${String(seconds % 60).padStart(2, '0')}`;
};
const say = (line: string): void => console.log(`${elapsed()}  ${line}`);

const indented = (text: string): string => text.replaceAll(/^/gm, '         ');

const differentTests = (jobs: readonly Job[]): NamedTest[] => [
  ...new Map(jobs.flatMap(({ tests }) => tests.map((test) => [nameOf(test), test]))).values(),
];

const options = readOptions();
if (options.help) {
  console.log(USAGE);
  process.exit(0);
}
const results = openResults(options.afresh);
const jobs = jobsFor(options.prefixes);
const waiting = jobs.filter((job) => results.get(job)?.verdict !== 'caught');
const total = jobs.flatMap(({ numbers }) => numbers).length;

const interruption = new AbortController();
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => interruption.abort());

/** Takes one job after the other from those waiting until none is left. */
const work = async (place: Workplace, queue: Job[], done: { count: number }): Promise<void> => {
  for (let job = queue.shift(); job !== undefined; job = queue.shift()) {
    interruption.signal.throwIfAborted();
    const judgement: Judgement = judge(job.tests, await place.run(job.tests, job.edits));
    interruption.signal.throwIfAborted();
    results.set(job, judgement);
    done.count += 1;
    say(`${done.count}/${waiting.length}  ${judgement.verdict}  ${job.numbers.join(', ')}`);
    if (judgement.verdict !== 'caught') console.log(indented(judgement.because));
  }
};

/** Proves what is waiting; answers the tests that fail although nothing was taken out. */
const prove = async (folder: string): Promise<NamedTest[]> => {
  const given = process.env['TEST_DATABASE_URL'];
  const server = given
    ? undefined
    : await startEmbeddedPostgres({
        dataDir: path.join(folder, 'data'),
        settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '200' },
        log: () => {},
      });
  const databaseUrl = given ?? server?.url ?? '';
  try {
    const { signal } = interruption;
    say('building a copy of the project …');
    const first = path.join(folder, 'copy-1');
    const places = [await openWorkplace(first, { databaseUrl, signal })];
    const tests = differentTests(waiting);
    say(`running the ${tests.length} named tests with nothing taken out …`);
    const untouched = await places[0]?.run(tests);
    const bad = untouched === undefined ? tests : failing(tests, untouched);
    if (bad.length > 0) return bad;
    say(`they pass; taking out ${waiting.length} features …`);
    for (let number = 2; number <= Math.min(options.workers, waiting.length); number += 1) {
      places.push(await openWorkplace(path.join(folder, `copy-${number}`), { databaseUrl, like: first, signal }));
    }
    const queue = [...waiting];
    const done = { count: 0 };
    await Promise.all(places.map((place) => work(place, queue, done)));
    return [];
  } finally {
    await server?.stop();
  }
};

if (waiting.length < jobs.length) say(`${jobs.length - waiting.length} of ${jobs.length} removals were proved before`);
let broken: NamedTest[] = [];
if (waiting.length > 0) {
  const folder = await mkdtemp(path.join(tmpdir(), 'dogear-proof-'));
  // Run as root, the database server belongs to another user, who must pass through.
  await chmod(folder, 0o711);
  try {
    broken = await prove(folder);
  } catch (error) {
    if (!interruption.signal.aborted) throw error;
    say('interrupted; the same command goes on from here');
    process.exitCode = 130;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
for (const test of broken) say(`fails with nothing taken out: ${nameOf(test)}`);
const countOf = (...verdicts: (string | undefined)[]): number =>
  jobs.filter((job) => verdicts.includes(results.get(job)?.verdict)).flatMap(({ numbers }) => numbers).length;
const verdict =
  `${total} statements, ${countOf('caught')} seen failing, ${countOf('NOT CAUGHT')} not caught, ` +
  `${countOf('BROKEN')} broken, ${countOf(undefined)} not tried`;
say(verdict);
console.log(`What each failure said: ${results.file}`);
if (options.prefixes.length === 0 && countOf(undefined) === 0) {
  noteProof(`${new Date().toISOString().slice(0, 10)}, ${total} statements, ${countOf('caught')} seen failing.`);
}
if (countOf('caught') < total) process.exitCode ||= 1;
