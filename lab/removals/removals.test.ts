import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readStatements } from '#test/specification/document.ts';
import { applied, readRemovals } from './removals.ts';

const statements = readStatements();
const removals = readRemovals();

/** What stops a feature from being taken out, if anything. */
const stopping = (number: string): string | undefined => {
  try {
    const edits = removals.get(number);
    if (edits === undefined) return 'nothing says how it is taken out';
    applied(edits);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
};

test('there is for every statement a way to take its feature out, and no way without a statement', () => {
  const wrong = statements.flatMap(({ number }) => {
    const what = stopping(number);
    return what === undefined ? [] : [`${number}: ${what}`];
  });
  expect(wrong).toEqual([]);
  const known = new Set(statements.map(({ number }) => number));
  expect([...removals.keys()].filter((number) => !known.has(number))).toEqual([]);
});

test('a feature is taken out of a file that was formatted anew, and not where its text stands twice', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'dogear-removal-'));
  const takenOut = (text: string, find: string): string | undefined => {
    writeFileSync(path.join(folder, 'a.ts'), text);
    return applied([{ file: 'a.ts', find, replace: '' }], folder).get('a.ts')?.after;
  };
  try {
    expect(takenOut('go();\ncall(\n  one,\n  two,\n);\n', 'call(one, two);')).toBe('go();\n\n');
    expect(() => takenOut('call(one, two); call(one,\n two);', 'call(one,two);')).toThrow('2 times');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
