import { isGuessablePassword } from '#contract/users/guessable-password.ts';
import { MAX_PASSWORD_LENGTH, passwordProblem } from '#contract/users/identity-rules.ts';
import type { Config } from '#server/platform/config.ts';

/** NIST SP 800-63B-4 section 3.1.1.2: a password that is the only factor has at least 15 characters. */
const NIST_MIN_CHARACTERS = 15;

interface Owner {
  readonly name: string;
  readonly email: string;
}

const nistProblem = (password: string, owner: Owner): string | undefined => {
  if ([...password].length < NIST_MIN_CHARACTERS) return `Must be at least ${NIST_MIN_CHARACTERS} characters`;
  return isGuessablePassword(password, owner) ? 'This password is too easy to guess' : undefined;
};

/**
 * What is wrong with a new password under the configured profile, as the message to show; undefined when it may be set.
 */
export const newPasswordProblem = (
  profile: Config['passwordProfile'],
  password: string,
  owner: Owner,
): string | undefined => {
  if (password.length > MAX_PASSWORD_LENGTH) return `Must be at most ${MAX_PASSWORD_LENGTH} characters`;
  return profile === 'nist' ? nistProblem(password, owner) : passwordProblem(password);
};
