import type { Condition } from '#contract/catalog/catalog.ts';

/** The trade's grades, the best first. */
export const GRADES = ['As New', 'Fine', 'Near Fine', 'Very Good', 'Good', 'Fair', 'Poor'] as const;
export type Grade = (typeof GRADES)[number];

interface GradeMeaning {
  /** When it is to be chosen. */
  readonly means: string;
  readonly condition: Condition;
}

/** What the grades mean here, and which condition each gives. */
export const GRADE_MEANINGS: Readonly<Record<Grade, GradeMeaning>> = {
  'As New': { means: 'As it left the publisher: unread, complete, a jacket without a flaw.', condition: 'Excellent' },
  Fine: { means: 'Clean and sharp, perhaps read once, nothing to point at.', condition: 'Excellent' },
  'Near Fine': { means: 'One or two tiny flaws, each of them named.', condition: 'Excellent' },
  'Very Good': { means: 'Wear shows, nothing is torn or loose, every flaw is named.', condition: 'Good' },
  Good: { means: 'Used as books are used, whole and firm.', condition: 'Good' },
  Fair: { means: 'Worn; the text is complete, an endpaper or half-title may be gone.', condition: 'Fair' },
  Poor: {
    means: 'Only good for reading: loose, stained, perhaps a plate is missing; the text is complete.',
    condition: 'Fair',
  },
};

/** The condition that the grade of a book gives. */
export const conditionOfGrade = (grade: Grade): Condition => GRADE_MEANINGS[grade].condition;

/** Whether `grade` is better than `other`. */
export const isAbove = (grade: Grade, other: Grade): boolean => GRADES.indexOf(grade) < GRADES.indexOf(other);

/** The worse of two. */
export const worseOf = (one: Grade, other: Grade): Grade => (isAbove(one, other) ? other : one);
