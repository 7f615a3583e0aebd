import type { FieldErrors } from '#contract/errors.ts';
import {
  EMAIL_MESSAGE,
  isEmail,
  MIN_PASSWORD_LENGTH,
  passwordProblem,
  signUpProblems,
} from '#contract/users/identity-rules.ts';

/**
 * The address a form may send: what was typed when it is a valid one, else nothing. The text stays in its field, but an
 * invalid address never gets further than here. Spaces around it, which phones like to add, are dropped.
 */
export const emailToSend = (typed: string): string => {
  const email = typed.trim();
  return isEmail(email) ? email : '';
};

/**
 * What keeps a sign-in from being sent. The password rules do not: an older password may have been made under others.
 */
export const signInProblems = (form: { email: string; password: string }): FieldErrors => {
  const problems: FieldErrors = {};
  if (emailToSend(form.email) === '') problems.email = EMAIL_MESSAGE;
  if (form.password === '') problems.password = 'Please enter your password';
  return problems;
};

/** What keeps a registration from being sent. */
export const registrationProblems = (form: { name: string; email: string; password: string }): FieldErrors =>
  signUpProblems({ ...form, email: form.email.trim() });

export interface PasswordRule {
  readonly text: string;
  readonly isMet: (password: string) => boolean;
}

/** The password rules in their order, as shown before any mistake. */
export const PASSWORD_RULES: readonly PasswordRule[] = [
  { text: `At least ${MIN_PASSWORD_LENGTH} characters`, isMet: (password) => password.length >= MIN_PASSWORD_LENGTH },
  { text: 'At least 1 special character: ! @ # $ % ^ & *', isMet: (password) => /[!@#$%^&*]/.test(password) },
  { text: 'At least 1 uppercase letter', isMet: (password) => /[A-Z]/.test(password) },
];

/**
 * The rule a typed password breaks, as a quiet hint on the sign-in form: a slip of the finger is seen before it is
 * sent.
 */
export const passwordHint = (password: string): string | undefined =>
  password === '' ? undefined : passwordProblem(password);

/** The sign-in page with an address filled in, leading on to `from` afterwards. */
export const signInPath = (email: string, from: string): string => {
  const query = new URLSearchParams({ email });
  if (from !== '/') query.set('from', from);
  return `/login?${query.toString()}`;
};

/** What a page that leads to the sign-in page carries along for somebody who has just made their account. */
export const NEWCOMER = { isNewcomer: true };

export const isNewcomer = (state: unknown): boolean =>
  typeof state === 'object' && state !== null && 'isNewcomer' in state && state.isNewcomer === true;
