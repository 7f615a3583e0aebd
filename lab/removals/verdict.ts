// Whether a test was seen failing because a feature was gone, and not because nothing worked any more.
import type { NamedTest } from '#test/specification/document.ts';
import { patternOfTemplate } from '#test/specification/titles.ts';
import type { RunResult, TestResult } from './workplace.ts';

export type Verdict = 'caught' | 'NOT CAUGHT' | 'BROKEN';

export interface Judgement {
  readonly verdict: Verdict;
  readonly because: string;
}

/** What is said when the code itself is broken, and no test could have told anything. */
const BROKEN_CODE =
  /Cannot find (module|package)|Failed to (load|resolve)|(Syntax|Reference|Type|Range)Error|Transform failed|did not open|is not a function/;

const isMeant = ({ file, titles }: NamedTest, result: TestResult): boolean =>
  file === result.file &&
  titles.length === result.titles.length &&
  titles.every((title, place) => new RegExp(`^${patternOfTemplate(title)}$`, 's').test(result.titles[place] ?? ''));

/** A named test is a template at times, and stands for several: one of them failing is the template failing. */
const judgeOne = (named: NamedTest, { results, printed }: RunResult): Judgement => {
  const meant = results.filter((result) => isMeant(named, result));
  const failed = meant.filter(({ status }) => status === 'failed');
  const said = failed[0]?.said ?? '';
  if (failed.length > 0) {
    const isBroken = !said.startsWith('AssertionError') && BROKEN_CODE.test(said);
    return { verdict: isBroken ? 'BROKEN' : 'caught', because: said };
  }
  if (meant.some(({ status }) => status === 'passed')) {
    return { verdict: 'NOT CAUGHT', because: `${named.titles.join(' › ')} passed` };
  }
  return { verdict: 'BROKEN', because: `${named.titles.join(' › ')} did not run\n${printed.trim().slice(-1_500)}` };
};

const WORST_FIRST: readonly Verdict[] = ['BROKEN', 'NOT CAUGHT', 'caught'];

/** Every named test must have failed: the worst of them is the verdict. */
export const judge = (tests: readonly NamedTest[], run: RunResult): Judgement => {
  const all = tests.map((named) => judgeOne(named, run));
  const worst = WORST_FIRST.map((verdict) => all.find((one) => one.verdict === verdict)).find(
    (one) => one !== undefined,
  );
  return worst ?? { verdict: 'BROKEN', because: 'no test' };
};

/** The named tests that do not pass as things are. */
export const failing = (tests: readonly NamedTest[], { results }: RunResult): NamedTest[] =>
  tests.filter((named) => {
    const meant = results.filter((result) => isMeant(named, result));
    return !meant.some(({ status }) => status === 'passed') || meant.some(({ status }) => status === 'failed');
  });
