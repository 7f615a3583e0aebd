import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { nameOf, root, testsIn } from './specification/document.ts';
import { wrongWith } from './specification/titles.ts';

/** The checks that the document has a row for: application, payments, sign-in by others, tokens. */
const CHECKS = [
  ...Array.from({ length: 62 }, (_, place) => `S${String(place + 1).padStart(2, '0')}`),
  ...Array.from({ length: 11 }, (_, place) => `P${place + 1}`),
  ...Array.from({ length: 8 }, (_, place) => `O${place + 1}`),
  ...Array.from({ length: 7 }, (_, place) => `J${place + 1}`),
];
/** A row without a test says one of these, and why. */
const REASON = /(Not applicable|Deviation|Not tested here): \S+/;

const rows = readFileSync(path.join(root, 'docs/security.md'), 'utf8')
  .split('\n')
  .flatMap((line) => {
    const [, id, requirement, proof] = /^\| *([SPOJ]\d+) *\| *(.*?) *\| *(.*?) *\|$/.exec(line) ?? [];
    return id === undefined || requirement === undefined || proof === undefined ? [] : [{ id, requirement, proof }];
  });

test('docs/security.md has a row for every check, once and in order', () => {
  expect(rows.map(({ id }) => id)).toEqual(CHECKS);
  expect(rows.filter(({ requirement }) => requirement.length < 10)).toEqual([]);
});

test('every row of docs/security.md names tests that exist, or says why there is none', () => {
  const wrong = rows.flatMap(({ id, proof }) => {
    const named = testsIn(proof).filter(({ file }) => /\.(test|e2e)\.ts$/.test(file));
    if (named.length === 0) return REASON.test(proof) ? [] : [`${id}: neither a test nor a reason`];
    return named.flatMap((one) => {
      const what = wrongWith(one);
      return what === undefined ? [] : [`${id}: ${what}: ${nameOf(one)}`];
    });
  });
  expect(wrong).toEqual([]);
});
