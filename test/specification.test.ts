import { describe, expect, test } from 'vitest';
import { coverageOf, readSections } from './specification/coverage.ts';
import { nameOf, readStatements, sectionOf, unreadableRows } from './specification/document.ts';
import { meantBy, testsOf, wrongWith } from './specification/titles.ts';

const statements = readStatements();
const sections = readSections();

describe('docs/specification.md', () => {
  test('has statements of every section, numbered once and in order', () => {
    expect(unreadableRows()).toEqual([]);
    expect([...new Set(statements.map(({ number }) => sectionOf(number)))]).toEqual(
      Array.from({ length: 9 }, (_, place) => String(place + 1)),
    );
    const places = statements.map(({ number }) => number.split('.').map(Number));
    const backwards = places.filter(([section = 0, place = 0], index) => {
      const [lastSection = 0, lastPlace = 0] = places[index - 1] ?? [];
      return section < lastSection || (section === lastSection && place <= lastPlace);
    });
    expect(backwards).toEqual([]);
  });

  test('names a test that exists for every statement', () => {
    const wrong = statements.flatMap(({ number, provedBy }) => {
      if (provedBy.length === 0) return [`${number}: no test`];
      return provedBy.flatMap((named) => {
        const what = wrongWith(named);
        return what === undefined ? [] : [`${number}: ${what}: ${nameOf(named)}`];
      });
    });
    expect(wrong).toEqual([]);
  });

  // The specification itself is not part of the project; where it lies beside it, it is compared word by word.
  test.skipIf(sections === undefined)('leaves out nothing that the specification says', () => {
    expect(coverageOf(statements, sections ?? new Map())).toEqual({ missing: [], invented: [] });
  });
});

test('a test is found by its name, by what a template becomes, and not when it is skipped or elsewhere', () => {
  const file = 'test/specification/example.ts';
  const tests = testsOf(file) ?? [];
  const found = (...titles: string[]): boolean => meantBy({ file, titles }, tests).length > 0;
  expect(found('an example', 'is found')).toBe(true);
  expect(found('an example', '%s of $name is found')).toBe(true);
  expect(found('an example', 'one of many is found')).toBe(true);
  expect(found('an example', 'one of many is lost')).toBe(false);
  expect(found('is found')).toBe(false);
  expect(found('an example', 'is skipped')).toBe(false);
  expect(found('an example', 'is a task')).toBe(false);
});
