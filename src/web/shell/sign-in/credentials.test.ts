import { describe, expect, it } from 'vitest';
import { passwordProblem } from '#contract/users/identity-rules.ts';
import {
  emailToSend,
  PASSWORD_RULES,
  passwordHint,
  registrationProblems,
  signInPath,
  signInProblems,
} from './credentials.ts';

describe('the address of a form', () => {
  it('is sent when it is valid, without the spaces around it', () => {
    expect(emailToSend(' ada@example.com ')).toBe('ada@example.com');
  });

  it.each(['', 'ada', 'ada@', 'ada@example', 'ada@example.info', 'a b@example.com'])(
    'is cleared when it is %j',
    (typed) => {
      expect(emailToSend(typed)).toBe('');
    },
  );
});

describe('signing in', () => {
  it('wants a valid address and any password', () => {
    expect(signInProblems({ email: 'ada', password: '' })).toEqual({
      email: 'Please provide a valid email',
      password: 'Please enter your password',
    });
    expect(signInProblems({ email: 'ada@example.com', password: 'old' })).toEqual({});
  });

  it('hints at the first broken password rule without insisting', () => {
    expect(passwordHint('')).toBeUndefined();
    expect(passwordHint('abc')).toBe('Must be at least 6 character');
    expect(passwordHint('abcdef')).toBe('At least 1 Especial character');
    expect(passwordHint('abcdef!')).toBe('At least 1 Uppercase character');
    expect(passwordHint('Abcdef!')).toBeUndefined();
  });
});

describe('registering', () => {
  it('wants a name, a valid address and a password by the rules', () => {
    expect(registrationProblems({ name: ' ', email: 'ada', password: 'abc' })).toEqual({
      name: 'Please provide your name',
      email: 'Please provide a valid email',
      password: 'Must be at least 6 character',
    });
    expect(registrationProblems({ name: 'Ada', email: 'ada@example.com ', password: 'Abcdef!' })).toEqual({});
  });

  it('shows beforehand just the rules that are checked afterwards', () => {
    for (const password of ['', 'Ab!', 'abcdef', 'abcdef!', 'ABCDEF', 'Abcdef!', 'Abcdé&f']) {
      const allMet = PASSWORD_RULES.every((rule) => rule.isMet(password));
      expect(allMet, password).toBe(passwordProblem(password) === undefined);
    }
  });
});

describe('the way to the sign-in page after choosing a type', () => {
  it('carries the address, and the place to return to unless that is home', () => {
    expect(signInPath('a+b@example.com', '/')).toBe('/login?email=a%2Bb%40example.com');
    expect(signInPath('ada@example.com', '/categories')).toBe('/login?email=ada%40example.com&from=%2Fcategories');
  });
});
