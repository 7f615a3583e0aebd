import { describe, expect, it } from 'vitest';
import { isGuessablePassword } from './guessable-password.ts';

const owner = { name: 'Ada Lovelace', email: 'countess@example.com' };

describe('a password is guessable when it is nothing but', () => {
  it.each([
    ['a common word and its ending', 'Password1!'],
    ['a common word with signs for letters', 'P@ssw0rd!'],
    ['a season and a year', 'Summer2026!'],
    ['keys in a row', 'Qwerty123!'],
    ['letters in a row', 'Abc123!'],
    ['the same key again and again', 'Aaaaaa1!'],
    ['words of the shop', 'Dogear#Books'],
    ['pieces of its owner', 'Lovelace#1815'],
    ['the address of its owner', 'Countess@1'],
  ])('%s', (_what, password) => expect(isGuessablePassword(password, owner)).toBe(true));
});

describe('a password is not guessable when it holds', () => {
  it.each([
    ['a word that is in no list', 'Analytical#Engine'],
    ['a letter too many', 'Passwordy!'],
    ['signs that stand for no common word', 'G@rl1c$oup'],
  ])('%s', (_what, password) => expect(isGuessablePassword(password, owner)).toBe(false));
});

it('takes no time for a password that is far too long', () => {
  expect(isGuessablePassword('!'.repeat(1_000_000), owner)).toBe(false);
});
