import { DEFECTS, degreeOf, type Cap } from './defects.ts';
import { GRADES, worseOf, type Grade } from './grades.ts';
import type { DefectId, Degree } from './passport.ts';

/** Goes up with every change of the table of defects, of the counts or of what grades mean: a promise keeps it. */
export const RULES_VERSION = 1;

/** So many defects that leave `cap` or less lower the grade to `atMost`. By "or less", never "exactly". */
export const COUNTS: readonly { readonly least: number; readonly cap: Grade; readonly atMost: Grade }[] = [
  { least: 3, cap: 'Near Fine', atMost: 'Very Good' },
  { least: 3, cap: 'Very Good', atMost: 'Good' },
  { least: 4, cap: 'Good', atMost: 'Fair' },
];

export interface Ticked {
  readonly defect: DefectId;
  readonly degree: Degree;
}

/** A grade, and why it is no better one. */
export interface Proposal {
  /** Null where such a book is not to be listed. */
  readonly grade: Grade | null;
  /** The defects that leave no better grade by themselves; none where the count is what lowered it, or nothing did. */
  readonly because: readonly Ticked[];
  /** How many defects lowered it together, and what each leaves at most; null where their number lowered nothing. */
  readonly counted: { readonly count: number; readonly cap: Grade } | null;
}

const isAtMost = (cap: Cap, grade: Grade): boolean =>
  cap === 'not listed' || GRADES.indexOf(cap) >= GRADES.indexOf(grade);

/** The best grade that defects of a book, or of a jacket, leave: the least of what each leaves, lowered by number. */
export const proposeGrade = (ticked: readonly Ticked[]): Proposal => {
  const caps = ticked.map((one) => ({ one, cap: degreeOf(one.defect, one.degree)?.cap ?? 'not listed' }));
  const refused = caps.filter(({ cap }) => cap === 'not listed').map(({ one }) => one);
  if (refused.length > 0) return { grade: null, because: refused, counted: null };
  let grade: Grade = GRADES[0];
  for (const { cap } of caps) if (cap !== 'not listed') grade = worseOf(grade, cap);
  let counted: Proposal['counted'] = null;
  for (const { least, cap, atMost } of COUNTS) {
    const count = caps.filter((one) => isAtMost(one.cap, cap)).length;
    if (count < least || worseOf(grade, atMost) === grade) continue;
    grade = atMost;
    counted = { count, cap };
  }
  const because = counted === null ? caps.filter(({ cap }) => cap === grade).map(({ one }) => one) : [];
  return { grade, because, counted };
};

/** What is proposed for book and jacket of a copy; undefined where nobody looked, or there is no jacket. */
export const proposalsOf = (said: {
  readonly jacket?: string | null | undefined;
  readonly noDefects?: boolean | undefined;
  readonly noJacketDefects?: boolean | undefined;
  readonly defects?: readonly Ticked[] | undefined;
}): { book: Proposal | undefined; jacket: Proposal | undefined } => {
  const { defects = [] } = said;
  const ofBook = defects.filter(({ defect }) => DEFECTS[defect].of === 'book');
  const ofJacket = defects.filter(({ defect }) => DEFECTS[defect].of === 'jacket');
  return {
    book: ofBook.length > 0 || said.noDefects === true ? proposeGrade(ofBook) : undefined,
    jacket:
      said.jacket === 'with' && (ofJacket.length > 0 || said.noJacketDefects === true)
        ? proposeGrade(ofJacket)
        : undefined,
  };
};
