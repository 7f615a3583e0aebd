import { Type } from 'typebox';
import type { FieldErrors } from '#contract/errors.ts';
import { isVisible } from '#contract/text.ts';

/** Longest reason that is taken: a few sentences. */
export const MAX_REASON_LENGTH = 500;

/** Why an admin does something to somebody: mailed to them and kept in the audit. */
export const Reason = Type.String({
  minLength: 1,
  maxLength: MAX_REASON_LENGTH,
  description: 'why, in a sentence; told to whom it is about',
});

/** What is wrong with a reason: spaces are none. */
export const reasonProblems = ({ reason }: { reason: string }): FieldErrors =>
  isVisible(reason) ? {} : { reason: 'Please give a reason' };
