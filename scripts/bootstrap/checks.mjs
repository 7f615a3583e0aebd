import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build, isBuilt } from './build.mjs';
import { runInForeground, runQuietly } from './child.mjs';
import { databaseTests } from './database-tests.mjs';
import { ensureInstalled } from './install.mjs';
import { environmentFor, findNode } from './node.mjs';
import { commandOf, root, say, withoutStack } from './project.mjs';
import { Refusal } from './refusal.mjs';

/** What a step comes to: how many things passed, failed and were skipped, and what the failed tests are called. */
const tally = (passed, failed, skipped = 0, names = []) => ({ passed, failed, skipped, names });

/** Runs tools one after the other, keeping their output back until one of them fails: one thing that passes or not. */
const tools =
  (node, env, ...commands) =>
  async () => {
    for (const [packageName, command, ...args] of commands) {
      const { code, output } = await runQuietly(node, [commandOf(packageName, command), ...args], env);
      if (code === 0) continue;
      console.error(output.trimEnd());
      return tally(0, 1);
    }
    return tally(1, 0);
  };

/** The first line of what a test failed with, below its name; of a property its seed and its case, too. */
const why = ([message = '']) => {
  const [first, ...more] = message.split('\n');
  const of = first.includes('Property failed') ? more.slice(0, 2) : [];
  return `\n  why: ${[first, ...of].join(' ').slice(0, 600)}`;
};

/** Counts every test by the runner's own record, and what went wrong outside of any test as one more failure. */
const countTests = (file, code) => {
  const report = JSON.parse(readFileSync(file, 'utf8'));
  const { numPassedTests, numFailedTests, numPendingTests = 0, numTodoTests = 0, testResults } = report;
  const broken = testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  );
  const failed = numFailedTests + broken.length;
  const names = testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName, failureMessages }) => `${path.relative(root, name)}: ${fullName}${why(failureMessages)}`),
  );
  names.push(...broken.map(({ name }) => path.relative(root, name)));
  return tally(numPassedTests, code !== 0 && failed === 0 ? 1 : failed, numPendingTests + numTodoTests, names);
};

/**
 * What starts a database, a shop or another process takes minutes, all of it together; the fast loop leaves it to npm
 * test.
 */
const STARTS_SOMETHING = /#test\/|#standins\/|#scripts\/|node:child_process|import\.meta\.dirname/;

const quickTests = () =>
  readdirSync(path.join(root, 'src'), { recursive: true })
    .map((file) => path.join('src', file))
    .filter((file) => file.endsWith('.test.ts') && !STARTS_SOMETHING.test(readFileSync(path.join(root, file), 'utf8')));

const tests = (node, env, project, filesOf) => async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'dogear-tests-'));
  const record = path.join(folder, 'record.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${record}`];
  try {
    const args = [commandOf('vitest', 'vitest'), 'run', '--project', project, ...reporters, ...(filesOf?.() ?? [])];
    const code = await runInForeground(node, args, env);
    return countTests(record, code);
  } catch (error) {
    console.error(`The tests could not be run or counted: ${error.message}`);
    return tally(0, 1);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

const LONGEST_SUBJECT = 72;
/** Commits before this day said more. */
const SUBJECTS_SINCE = '2026-11-23T00:00:00Z';

/** What `git log` calls each commit in one line; nothing to check outside of a checkout. */
const subjects = async () => {
  const asked = ['log', `--since=${SUBJECTS_SINCE}`, '--no-merges', '--format=%s'];
  const { code, output } = await runQuietly('git', asked).catch(() => ({ code: 1, output: '' }));
  if (code !== 0) return tally(0, 0, 1);
  const long = output.split('\n').filter((subject) => subject.length > LONGEST_SUBJECT);
  for (const subject of long) console.error(`A commit's subject has at most ${LONGEST_SUBJECT} characters: ${subject}`);
  return long.length === 0 ? tally(1, 0) : tally(0, 1);
};

const buildStep = (node) => async () => {
  if (isBuilt()) return tally(1, 0);
  const { code, output } = await build(node);
  if (code !== 0) console.error(withoutStack(output));
  return code === 0 ? tally(1, 0) : tally(0, 1);
};

const journeys = (node, env) => () => {
  if (isBuilt()) return tests(node, env, 'e2e')();
  console.error('The browser journeys need a built web, and it could not be built.');
  return tally(0, 1);
};

const steps = (node) => {
  const env = environmentFor(node);
  const types = [
    ['@react-router/dev', 'react-router', 'typegen'],
    ['typescript', 'tsc', '--noEmit'],
  ];
  return {
    lint: tools(node, env, ['oxlint', 'oxlint', '--deny-warnings']),
    types: tools(node, env, ...types),
    'commit subjects': subjects,
    formatting: tools(node, env, ['oxfmt', 'oxfmt', '--check', '.']),
    // Before the tests: those of the mounted web look at the build.
    build: buildStep(node),
    'unit and integration tests': tests(node, env, 'node'),
    'quick tests': tests(node, env, 'node', quickTests),
    'tests of the database': tests(node, env, 'node', databaseTests),
    'browser journeys': journeys(node, env),
    laboratory: tests(node, env, 'lab'),
  };
};

/** Steps one after the other; those in one list beside each other, as each keeps a single core busy. */
const TOOLS = [['lint', 'types', 'formatting'], ['build']];
const FAST = [...TOOLS, ['commit subjects'], ['quick tests']];
const ALL = [...TOOLS, ['unit and integration tests'], ['browser journeys']];
const SELECTIONS = {
  '--fast': FAST,
  '--integration': [['build'], ['tests of the database']],
  '--lab': [['build'], ['laboratory']],
};

/**
 * Runs every step, whatever happens to those before, and ends with what failed and a line that counts everything that
 * ran.
 * `--long`: with the longer counts of generated cases, and what only the long run has (vitest.config.ts).
 */
export const main = async (args = []) => {
  if (args.includes('--long')) process.env.DOGEAR_TEST_LONG = '1';
  const [selection, ...more] = args.filter((arg) => arg !== '--long');
  const chosen = selection === undefined ? ALL : SELECTIONS[selection];
  if (chosen === ALL && process.env.DOGEAR_TEST_LONG !== '1') process.env.DOGEAR_TEST_SHORT = '1';
  if (chosen === undefined || more.length > 0)
    throw new Refusal(`There is no selection of tests called "${[selection, ...more].join(' ')}".`);
  await ensureInstalled();
  const node = findNode();
  const total = tally(0, 0);
  const all = steps(node);
  const run = async (name) => {
    say(`${name} …`);
    const began = performance.now();
    const result = await all[name]();
    for (const key of ['passed', 'failed', 'skipped']) total[key] += result[key];
    if (result.failed > 0) total.names.push(...(result.names.length > 0 ? result.names : [name]));
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    say(`${name}: ${result.failed === 0 ? 'passed' : 'FAILED'} in ${seconds} s`);
  };
  for (const names of chosen) await Promise.all(names.map(run));
  for (const name of total.names) say(`FAILED ${name}`);
  const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : '';
  say(`${total.passed} passed, ${total.failed} failed${skipped}`);
  return total.failed === 0 ? 0 : 1;
};
