import { MAX_PASSWORD_LENGTH, passwordProblem } from '#contract/identity-rules.ts';
import type { Config } from '#server/platform/config.ts';
import { COMMON_PASSWORD_WORDS, SHOP_WORDS } from './common-passwords.ts';

/** NIST SP 800-63B-4 section 3.1.1.2: a password that is the only factor has at least 15 characters. */
const NIST_MIN_CHARACTERS = 15;
/** A shorter piece of a name or an address says nothing about a password that holds it. */
const MIN_CONTEXT_LENGTH = 4;

const RUNS = ['01234567890', 'abcdefghijklmnopqrstuvwxyz', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm'];
const MIN_RUN_LENGTH = 3;

interface Owner {
  readonly name: string;
  readonly email: string;
}

const reversed = (text: string): string => [...text].reverse().join('');
const ALL_RUNS = RUNS.flatMap((run) => [run, reversed(run)]);

const contextOf = (owner: Owner): string[] =>
  `${owner.name} ${owner.email}`
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((part) => part.length >= MIN_CONTEXT_LENGTH);

/** Length of the longest keyboard or alphabet run, or repetition of one character, that starts at `from`. */
const runLengthAt = (text: string, from: number): number => {
  let repeated = from + 1;
  while (text[repeated] === text[from]) repeated += 1;
  let longest = repeated - from;
  for (const run of ALL_RUNS) {
    const start = run.indexOf(text[from] ?? '');
    let length = start < 0 ? 0 : 1;
    while (length > 0 && start + length < run.length && text[from + length] === run[start + length]) length += 1;
    longest = Math.max(longest, length);
  }
  return longest >= MIN_RUN_LENGTH ? longest : 0;
};

/** Whether the text is nothing but guessable words and runs, once what people add at the ends ("1!", "Aa1!") is gone. */
const isGuessable = (password: string, owner: Owner): boolean => {
  const text = password
    .toLowerCase()
    .replace(/(aa)?1!$/, '')
    .replace(/[^\p{L}\p{N}]+/gu, '');
  const words = [...COMMON_PASSWORD_WORDS, ...SHOP_WORDS, ...contextOf(owner)];
  // reached[i]: the first i characters are all guessable; linear in the length, as each word is compared once a place
  const reached: boolean[] = [true];
  for (let at = 0; at < text.length; at += 1) {
    if (reached[at] !== true) continue;
    for (const word of words) if (text.startsWith(word, at)) reached[at + word.length] = true;
    for (let length = runLengthAt(text, at); length >= MIN_RUN_LENGTH; length -= 1) reached[at + length] = true;
    // a digit here and there makes nothing harder to guess
    if (/\d/.test(text[at] ?? '')) reached[at + 1] = true;
  }
  return reached[text.length] === true;
};

const nistProblem = (password: string, owner: Owner): string | undefined => {
  if ([...password].length < NIST_MIN_CHARACTERS) return `Must be at least ${NIST_MIN_CHARACTERS} characters`;
  return isGuessable(password, owner) ? 'This password is too easy to guess' : undefined;
};

/** What is wrong with a new password under the configured profile, as the message to show; undefined when it may be set. */
export const newPasswordProblem = (
  profile: Config['passwordProfile'],
  password: string,
  owner: Owner,
): string | undefined => {
  if (password.length > MAX_PASSWORD_LENGTH) return `Must be at most ${MAX_PASSWORD_LENGTH} characters`;
  return profile === 'nist' ? nistProblem(password, owner) : passwordProblem(password);
};
