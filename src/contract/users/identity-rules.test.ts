import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EMAIL_MESSAGE, isEmail, NAME_MESSAGE, passwordProblem, signUpProblems } from './identity-rules.ts';

const runs = process.env['DOGEAR_TEST_LONG'] === '1' ? 100_000 : 2_000;

/** The rule as it is usually written: right, but its nested repetition takes minutes on 40 characters. */
const usualPattern = /^\w+([.-]?\w+)*@\w+([.-]?\w+)*\.[A-Za-z]{2,3}$/;

describe('the email rule', () => {
  test.each([
    'a@b.co',
    'ada.lovelace@example.com',
    'ada-lovelace_1@mail.example-books.org',
    'A@B.COM',
    'a@b.c.de',
    `${'a'.repeat(242)}@example.com`,
  ])('takes %s', (email) => expect(isEmail(email)).toBe(true));

  test.each([
    '',
    'ada',
    'ada@',
    '@example.com',
    'ada@example',
    'ada@example.c',
    'ada@example.info',
    'ada@example.c0m',
    'ada@@example.com',
    'ada@b@example.com',
    '.ada@example.com',
    'ada.@example.com',
    'a..b@example.com',
    'a.-b@example.com',
    'ada+books@example.com',
    'ada@.com',
    'ada@-example.com',
    'ada@example..com',
    ' ada@example.com',
    'ada@example.com ',
    'ada@example.com\n',
    'ada\r\nBcc: x@example.com',
    'ädä@example.com',
    `${'a'.repeat(243)}@example.com`,
  ])('refuses %j', (email) => expect(isEmail(email)).toBe(false));

  test('agrees with the usual pattern on whatever is short', () => {
    const piece = fc.constantFrom('a', 'Z', '0', '_', '.', '-', '@', '.com', '.de', '@b.co', '+', ' ', '\n', 'é');
    const nearly = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(nearly, (email) => isEmail(email) === usualPattern.test(email)),
      { numRuns: runs },
    );
  });
});

describe('the work of the email rule', () => {
  /** Characters looked at, counted where every regular expression passes; a sticky one looks at one place. */
  const workOn = (email: string): number => {
    const seen: { pattern: string; work: number }[] = [];
    const exec = RegExp.prototype.exec;
    RegExp.prototype.exec = function (text) {
      seen.push({ pattern: this.source, work: this.sticky ? 1 : text.length });
      return exec.call(this, text);
    };
    try {
      isEmail(email);
    } finally {
      RegExp.prototype.exec = exec;
    }
    // A pattern that repeats one thing at most makes one pass; nested repetition is what takes exponential time.
    for (const { pattern } of seen) expect(pattern.match(/[+*]|\{\d+,/g)?.length ?? 0).toBeLessThanOrEqual(1);
    return seen.reduce((sum, { work }) => sum + work, 0);
  };

  test.each([
    ['one long word', (n: number) => 'a'.repeat(n)],
    ['a long word and a bad end', (n: number) => `${'a'.repeat(n - 3)}@b!`],
    ['many short parts', (n: number) => 'a.'.repeat(n / 2)],
    ['many parts in the domain', (n: number) => `a@${'b-'.repeat(n / 2 - 3)}b.c!`],
    ['separators only', (n: number) => '-'.repeat(n)],
    ['many at signs', (n: number) => '@'.repeat(n)],
    ['a valid address', (n: number) => `${'a'.repeat(n - 6)}@bc.de`],
  ])('is one pass over %s', (_, make) => {
    for (const length of [10, 50, 100, 254]) expect(workOn(make(length))).toBeLessThanOrEqual(3 * length);
  });

  test('is nothing beyond 254 characters', () => {
    expect(workOn('a'.repeat(1_000_000))).toBe(0);
  });
});

describe('the password rules', () => {
  test.each([
    ['', 'Must be at least 6 character'],
    ['A!bcd', 'Must be at least 6 character'],
    ['abcdef', 'At least 1 Especial character'],
    ['Abcdef', 'At least 1 Especial character'],
    ['abcde(', 'At least 1 Especial character'],
    ['abcde!', 'At least 1 Uppercase character'],
    ['äÄcde!', 'At least 1 Uppercase character'],
    ['Abcde!', undefined],
    ['ABCDE*', undefined],
  ])('%j: %s', (password, problem) => expect(passwordProblem(password)).toBe(problem));

  test('the message is the first broken rule in the order of the specification', () => {
    const rules: [(password: string) => boolean, string][] = [
      [(password) => password.length >= 6, 'Must be at least 6 character'],
      [(password) => [...'!@#$%^&*'].some((mark) => password.includes(mark)), 'At least 1 Especial character'],
      [(password) => password !== password.replaceAll(/[A-Z]/g, ''), 'At least 1 Uppercase character'],
    ];
    const password = fc.string({ unit: fc.constantFrom(...'abAB1!*( é'), maxLength: 10 });
    fc.assert(
      fc.property(password, (typed) => passwordProblem(typed) === rules.find(([holds]) => !holds(typed))?.[1]),
      { numRuns: runs },
    );
  });
});

test('a registration names every wrong field at once', () => {
  expect(signUpProblems({ name: ' ', email: 'ada', password: 'x' })).toEqual({
    name: NAME_MESSAGE,
    email: EMAIL_MESSAGE,
    password: 'Must be at least 6 character',
  });
  expect(signUpProblems({ name: 'Ada', email: 'ada@example.com', password: 'Secret#1' })).toEqual({});
});
