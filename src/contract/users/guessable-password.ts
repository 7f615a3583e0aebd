import { MAX_PASSWORD_LENGTH } from './identity-rules.ts';

/** Words that the most used passwords are made of. */
const COMMON_WORDS: readonly string[] = `
  password passwort passw0rd pass word welcome letmein admin administrator login master root user guest test
  qwerty qwertz azerty qwertyuiop asdf asdfgh asdfghjkl zxcv zxcvbn zxcvbnm 1q2w3e 1q2w3e4r qazwsx iloveyou love lovely
  sunshine princess dragon monkey football baseball soccer hockey basketball superman batman spiderman pokemon starwars
  trustno1 whatever shadow michael jennifer jessica ashley daniel jordan charlie thomas robert andrew michelle nicole
  freedom secret hello hunter ginger pepper cookie cheese summer winter spring autumn january february december monday
  friday flower butterfly computer internet samsung google apple microsoft killer mustang ferrari mercedes chelsea
  liverpool arsenal barcelona london america canada jesus angel family forever changeme default access private abc xyz
`
  .trim()
  .split(/\s+/);

/** Words of this shop, guessed first by whoever attacks it. */
const SHOP_WORDS: readonly string[] = ['dogear', 'books', 'book', 'bookshop', 'bookstore', 'secondhand', 'used'];

/** A shorter piece of a name or an address says nothing about a password that holds it. */
const MIN_CONTEXT_LENGTH = 4;

const RUNS = ['01234567890', 'abcdefghijklmnopqrstuvwxyz', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm'];
const MIN_RUN_LENGTH = 3;

/** Signs that stand for letters, as in "P@ssw0rd". */
const DISGUISES: Readonly<Record<string, string>> = {
  '@': 'a',
  $: 's',
  '0': 'o',
  '1': 'i',
  '!': 'i',
  '3': 'e',
  '5': 's',
};

/** Whose password it is. */
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

/** Whether `text` is nothing but `words`, runs and digits. */
const isMadeOf = (words: readonly string[], text: string): boolean => {
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

/**
 * Whether a password is among the first that somebody who guesses tries: nothing but common words, words of this shop,
 * pieces of its owner's name and address, runs of keys and digits, once what users add at the ends ("1!", "Aa1!") is
 * gone.
 */
export const isGuessablePassword = (password: string, owner: Owner): boolean => {
  if (password.length > MAX_PASSWORD_LENGTH) return false;
  const core = password.toLowerCase().replace(/(aa)?1!$/, '');
  const words = [...COMMON_WORDS, ...SHOP_WORDS, ...contextOf(owner)];
  // A sign between letters may stand for one; at the end it is only an ending.
  const undisguised = core.replace(/[@$!0135](?=.*\p{L})/gu, (sign) => DISGUISES[sign] ?? sign);
  return [core, undisguised].some((text) => isMadeOf(words, text.replace(/[^\p{L}\p{N}]+/gu, '')));
};
