import type { FieldErrors } from '#contract/errors.ts';
import { isVisible } from '#contract/text.ts';

export const EMAIL_MESSAGE = 'Please provide a valid email';
export const NAME_MESSAGE = 'Please provide your name';
export const MIN_PASSWORD_LENGTH = 6;

/** Longest password taken, in characters; far above the 128 that must work, low enough to hash. */
export const MAX_PASSWORD_LENGTH = 512;
const MAX_EMAIL_LENGTH = 254;

const word = /^\w+$/;

/**
 * The email rule of the specification: word characters with single dots or dashes between, an @, a domain of the same
 * kind, and a suffix of 2 to 3 letters. Split and checked part by part, so it takes linear time on any input.
 */
export const isEmail = (email: string): boolean => {
  if (email.length > MAX_EMAIL_LENGTH) return false;
  const [local, domain, ...rest] = email.split('@');
  if (local === undefined || domain === undefined || rest.length > 0) return false;
  if (!local.split(/[.-]/).every((part) => word.test(part))) return false;
  const dot = domain.lastIndexOf('.');
  if (dot < 1 || !/^[A-Za-z]{2,3}$/.test(domain.slice(dot + 1))) return false;
  return domain
    .slice(0, dot)
    .split(/[.-]/)
    .every((part) => word.test(part));
};

/** The first password rule that is broken, as its message; undefined when all hold. */
export const passwordProblem = (password: string): string | undefined => {
  if (password.length < MIN_PASSWORD_LENGTH) return 'Must be at least 6 character';
  if (!/[!@#$%^&*]/.test(password)) return 'At least 1 Especial character';
  if (!/[A-Z]/.test(password)) return 'At least 1 Uppercase character';
  return undefined;
};

/** What is wrong with a registration, by field; empty when it may be sent. */
export const signUpProblems = (form: { name: string; email: string; password: string }): FieldErrors => {
  const problems: FieldErrors = {};
  if (!isVisible(form.name)) problems.name = NAME_MESSAGE;
  if (!isEmail(form.email)) problems.email = EMAIL_MESSAGE;
  const password = passwordProblem(form.password);
  if (password !== undefined) problems.password = password;
  return problems;
};
