// npm run bench -w lab: what the production server answers, beside reference servers in the same run; see
// lab/docs/performance.md.
import { cpus, loadavg } from 'node:os';
import { machineTime, stolenBetween } from './serve/processes.ts';
import { NoSpace } from './serve/grow.ts';
import { readOptions, USAGE } from './serve/options.ts';
import { isAllHeld, reportOf, writeReport } from './serve/figures/report.ts';
import { runBench } from './serve/run.ts';

const loadNow = (): number => loadavg()[0] ?? 0;

const machine = (): string => {
  const all = cpus();
  return `${all.length} cores (${all[0]?.model.trim() ?? 'unknown'}), Node ${process.versions.node}`;
};

if (process.argv.includes('--help')) {
  console.log(USAGE);
  process.exit(0);
}
try {
  const options = readOptions(process.argv.slice(2));
  const startedAt = performance.now();
  const before = loadNow();
  const timeBefore = await machineTime();
  const { results, database } = await runBench(options, (line) => console.log(line));
  const { books, seconds, connections } = options;
  const day = new Date().toISOString().slice(0, 10);
  const about = { books, day, machine: machine(), database, seconds, connections };
  const stolen = stolenBetween(timeBefore, await machineTime());
  const report = reportOf({ ...about, load: [before, loadNow()], stolen }, results);
  console.log(`\n${report}\n`);
  if (options.writes) {
    await writeReport(books, report);
    console.log('lab/docs/performance.md is written.');
  }
  console.log(`The whole run took ${((performance.now() - startedAt) / 1_000).toFixed(0)} s.`);
  console.log(isAllHeld(books, results) ? 'All bars are held.' : 'Not all bars are held.');
  process.exit(isAllHeld(books, results) ? 0 : 1);
} catch (error) {
  // What was typed, and what the machine lacks, is told in a sentence.
  const isExpected =
    error instanceof NoSpace ||
    (error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS'));
  console.error(isExpected ? `${(error as Error).message}\n${USAGE}` : error);
  process.exit(1);
}
