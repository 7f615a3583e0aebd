// The tests that a file contains, read from its source: nothing is run.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync } from 'vite';
import { root, type NamedTest } from './document.ts';

interface Node {
  readonly type: string;
  readonly [key: string]: unknown;
}

interface Title {
  readonly text: string;
  /** Matches what the title becomes when the runner has filled in its placeholders. */
  readonly pattern: string;
}

const BLOCKS = new Set(['describe']);
const TESTS = new Set(['test', 'it']);
const NOT_RUN = new Set(['skip', 'todo']);

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

export const escapeForPattern = (text: string): string => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);

/** What Vitest fills in when a test is made for each of several cases: %s and the like, and $name. */
const PLACEHOLDER = /%[sdifjoO#$%]|\$[A-Za-z_][\w.]*/g;

/** A pattern of a title with placeholders, for what they become. */
export const patternOfTemplate = (text: string): string =>
  text
    .split(PLACEHOLDER)
    .map((part) => escapeForPattern(part))
    .join('.*?');

/** The words of a call's callee: `test.each([…])` is ['test', 'each']. */
const wordsOf = (callee: unknown): string[] => {
  if (!isNode(callee)) return [];
  if (callee.type === 'Identifier') return [callee['name'] as string];
  if (callee.type === 'CallExpression') return wordsOf(callee['callee']);
  if (callee.type === 'TSInstantiationExpression') return wordsOf(callee['expression']);
  if (callee.type !== 'MemberExpression') return [];
  return [...wordsOf(callee['object']), ...wordsOf(callee['property'])];
};

const titleOf = (argument: unknown, each: boolean): Title | undefined => {
  if (!isNode(argument)) return undefined;
  const pattern = each ? patternOfTemplate : escapeForPattern;
  if (argument.type === 'Literal' && typeof argument['value'] === 'string') {
    return { text: argument['value'], pattern: pattern(argument['value']) };
  }
  if (argument.type !== 'TemplateLiteral') return undefined;
  const parts = (argument['quasis'] as { value: { cooked: string } }[]).map((quasi) => quasi.value.cooked);
  return { text: parts.join('%s'), pattern: parts.map((part) => pattern(part)).join('.*?') };
};

const childrenOf = (node: Node): Node[] =>
  Object.values(node).flatMap((value) => (Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : []));

const collect = (node: Node, around: readonly Title[], found: Title[][]): void => {
  let titles = around;
  if (node.type === 'CallExpression') {
    const words = wordsOf(node['callee']);
    const kind = words[0] ?? '';
    const each = words.includes('each') || words.includes('for');
    const title = BLOCKS.has(kind) || TESTS.has(kind) ? titleOf((node['arguments'] as unknown[])[0], each) : undefined;
    if (title !== undefined) {
      if (words.some((word) => NOT_RUN.has(word))) return;
      titles = [...around, title];
      if (TESTS.has(kind)) found.push([...titles]);
    }
  }
  for (const child of childrenOf(node)) collect(child, titles, found);
};

const known = new Map<string, Title[][]>();

/**
 * The tests of a file of the project, each with the titles of the blocks around it; undefined when there is no such
 * file.
 */
export const testsOf = (file: string): Title[][] | undefined => {
  const before = known.get(file);
  if (before !== undefined) return before;
  let source: string;
  try {
    source = readFileSync(path.join(root, file), 'utf8');
  } catch {
    return undefined;
  }
  const found: Title[][] = [];
  collect(parseSync(file, source).program as unknown as Node, [], found);
  known.set(file, found);
  return found;
};

const isCalled = (name: string, title: Title | undefined): boolean =>
  title !== undefined && (name === title.text || new RegExp(`^${title.pattern}$`, 's').test(name));

/** The tests of a file that a name of the document may mean: by the template of a title, or by what it becomes. */
export const meantBy = ({ titles }: NamedTest, tests: readonly (readonly Title[])[]): (readonly Title[])[] =>
  tests.filter((test) => test.length === titles.length && titles.every((title, place) => isCalled(title, test[place])));

/** What is wrong with the name of a test, if anything. */
export const wrongWith = (named: NamedTest): string | undefined => {
  const tests = testsOf(named.file);
  if (tests === undefined) return 'no such file';
  return meantBy(named, tests).length === 0 ? 'no such test' : undefined;
};
