import { DEFECTS, degreeOf } from './defects.ts';
import type { Proposal, Ticked } from './grading.ts';
import type { Passport } from './passport.ts';

/** `writing, notes (heavy)`; a defect that is there or not has no degree to tell. */
export const defectInWords = ({ defect, degree }: Ticked): string => {
  const { name, degrees } = DEFECTS[defect];
  const word = degreeOf(defect, degree)?.word ?? degree;
  return degrees.length === 1 ? name : `${name} (${word})`;
};

const NUMBERS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

const listed = (parts: readonly string[]): string =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;

/** Why it is no better grade, in a sentence. */
export const because = ({ grade, because: reasons, counted }: Proposal): string => {
  if (counted !== null) {
    const count = NUMBERS[counted.count] ?? String(counted.count);
    return `${count.charAt(0).toUpperCase()}${count.slice(1)} defects that each leave ${counted.cap} or less lower it together.`;
  }
  if (grade === null) return `Not to be listed: ${listed(reasons.map(defectInWords))}.`;
  if (reasons.length === 0) return 'No defects were found.';
  return `${listed(reasons.map(defectInWords))} ${reasons.length === 1 ? 'leaves' : 'leave'} no better grade.`;
};

type Known<T> = NonNullable<T>;

export const PRINTING_WORDS: Readonly<Record<Known<Passport['printing']>, string>> = {
  'first edition': 'First edition',
  'first printing': 'First edition, first printing',
  'later printing': 'Later printing',
  reprint: 'Reprint',
  international: 'International edition',
  'advance copy': 'Advance copy or proof',
  facsimile: 'Facsimile',
  limited: 'Limited edition',
};

export const SIGNED_WORDS: Readonly<Record<Known<Passport['signed']>, string>> = {
  no: 'Not signed',
  signed: 'Signed',
  inscribed: 'Inscribed to somebody',
  association: 'Association copy',
};

export const JACKET_WORDS: Readonly<Record<Known<Passport['jacket']>, string>> = {
  with: 'With its jacket',
  missing: 'Issued with a jacket: missing',
  'none issued': 'Issued without a jacket',
};
