// docs/specification.md as data: which statement is proved by which tests.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export const root = path.join(import.meta.dirname, '../..');

const DOCUMENT = 'docs/specification.md';

/** A test as the document names it: its file, and its title under those of the blocks around it. */
export interface NamedTest {
  readonly file: string;
  readonly titles: readonly string[];
}

export interface Statement {
  /** Section and place, such as `7.03`. */
  readonly number: string;
  readonly text: string;
  readonly provedBy: readonly NamedTest[];
}

const ROW = /^\| *(\d+\.\d+) *\| *(.*?) *\| *(.*?) *\|$/;

export const nameOf = ({ file, titles }: NamedTest): string => [file, ...titles].join(' › ');

/** The tests that a cell of a table names in backticks. */
export const testsIn = (cell: string): NamedTest[] =>
  [...cell.matchAll(/`([^`]+)`/g)].map(([, quoted = '']) => {
    const [file = '', ...titles] = quoted.split(' › ');
    return { file, titles };
  });

/** Every row of every table of the document, in its order. */
export const readStatements = (): Statement[] =>
  readFileSync(path.join(root, DOCUMENT), 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [, number, text, tests] = ROW.exec(line) ?? [];
      if (number === undefined || text === undefined || tests === undefined) return [];
      return [{ number, text: text.replaceAll('\\|', '|'), provedBy: testsIn(tests) }];
    });

export const sectionOf = (number: string): string => number.slice(0, number.indexOf('.'));

/** Lines that look like statements but are none, because their cells are not as they should be. */
export const unreadableRows = (): string[] =>
  readFileSync(path.join(root, DOCUMENT), 'utf8')
    .split('\n')
    .filter((line) => /^\| *\d/.test(line) && !ROW.test(line));

/** Writes down at the top of the document when all of it was proved, and how that ended. */
export const noteProof = (result: string): void => {
  const file = path.join(root, DOCUMENT);
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replace(/^Proved last: .*$/m, `Proved last: ${result}`));
};
