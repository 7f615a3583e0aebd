import type { Condition } from '#contract/catalog/catalog.ts';
import { DEFECT_IDS, DEFECTS, degreeOf } from './defects.ts';
import { conditionOfGrade, isAbove, type Grade } from './grades.ts';
import { proposalsOf, type Proposal } from './grading.ts';
import type { PassportDraft } from './passport.ts';
import { because } from './passport-words.ts';

const gradeProblem = (
  of: 'book' | 'jacket',
  grade: Grade | null | undefined,
  proposal: Proposal | undefined,
): string | undefined => {
  if (proposal?.grade === null)
    return 'A book with live mould is not to be listed: it spoils the books that it stands beside';
  if (grade === null || grade === undefined) return undefined;
  if (proposal === undefined) {
    return of === 'book'
      ? 'Tick the defects, or that there are none, before a grade is chosen'
      : 'Say that there is a jacket, and its defects or that it has none, before its grade is chosen';
  }
  if (!isAbove(grade, proposal.grade)) return undefined;
  return `${of === 'book' ? 'The grade' : 'The grade of the jacket'} is ${proposal.grade} at most. ${because(proposal)}`;
};

const defectsProblem = ({ defects = [], noDefects, noJacketDefects, jacket }: PassportDraft): string | undefined => {
  if (new Set(defects.map(({ defect }) => defect)).size < defects.length) return 'Name each defect once';
  for (const { defect, degree } of defects) {
    const { name, of } = DEFECTS[defect];
    if (degreeOf(defect, degree) === undefined) return `${name}: there is no such degree`;
    if (of === 'book' && noDefects === true) return 'Defects are named, and that there are none: take one of both back';
    if (of === 'jacket' && noJacketDefects === true)
      return 'Defects of the jacket are named, and that there are none: take one of both back';
    if (of === 'jacket' && jacket !== 'with') return `${name}: say that there is a jacket`;
  }
  return undefined;
};

/** What is wrong with what a seller says of a copy, in a sentence; undefined where nothing is. */
export const passportProblem = (draft: PassportDraft): string | undefined => {
  const wrong = defectsProblem(draft);
  if (wrong !== undefined) return wrong;
  const { book, jacket } = proposalsOf(draft);
  return gradeProblem('book', draft.grade, book) ?? gradeProblem('jacket', draft.jacketGrade, jacket);
};

/** What can be told of a copy out of what its seller said of it, if that makes sense. */
export const learnedOf = (
  draft: PassportDraft,
): {
  readonly grade: Grade | null;
  readonly jacketGrade: Grade | null;
  readonly exLibrary: boolean | null;
  readonly remainder: boolean | null;
  readonly annotated: boolean | null;
  readonly defects: NonNullable<PassportDraft['defects']>;
} => {
  const { book, jacket } = proposalsOf(draft);
  const named = new Map((draft.defects ?? []).map((one) => [one.defect, one] as const));
  const has = (...ids: (typeof DEFECT_IDS)[number][]): boolean | null =>
    book === undefined ? null : ids.some((id) => named.has(id));
  return {
    grade: book === undefined ? null : (draft.grade ?? book.grade),
    jacketGrade: jacket === undefined ? null : (draft.jacketGrade ?? jacket.grade),
    exLibrary: has('ex-library'),
    remainder: has('remainder'),
    annotated: has('writing', 'highlighting'),
    // Their order is nothing: two that say the same are the same.
    defects: DEFECT_IDS.flatMap((id) => named.get(id) ?? []),
  };
};

/** The condition that follows from what was said of a copy; undefined where its seller says it by hand. */
export const conditionOfPassport = (draft: PassportDraft): Condition | undefined => {
  const { grade } = learnedOf(draft);
  return grade === null ? undefined : conditionOfGrade(grade);
};
