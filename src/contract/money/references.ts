import { Type } from 'typebox';
import type { FieldErrors } from '#contract/errors.ts';
import { isVisible } from '#contract/text.ts';

/** How money went that the shop sent by hand: a bank's reference, the number of a cheque. */
export const Reference = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'by which bank and operator find it again, such as the number of a transfer',
});

/** What is wrong with a reference: spaces are none. */
export const referenceProblems = ({ reference }: { reference: string }): FieldErrors =>
  isVisible(reference) ? {} : { reference: 'Please say how it was paid' };
