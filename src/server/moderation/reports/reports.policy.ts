import { ACTIONS_OF, type ReportAction, type ReportedKind } from '#contract/admin/reports.ts';
import { AppError, badFields, forbidden } from '#server/platform/errors.ts';

interface Case {
  readonly kind: ReportedKind;
  readonly userId: string;
  readonly decision: ReportAction | null;
  readonly decidedBy: string | null;
  readonly appealedAt: Date | null;
  readonly appealUpheld: boolean | null;
}

const moved = (message: string): AppError => new AppError('case_moved', message);

/** Why an admin may not decide a case so; undefined where they may. Nobody decides about themselves. */
export const decisionRefusal = (
  one: Case,
  { actorId, action, reason }: { actorId: string; action: ReportAction; reason: string },
): AppError | undefined => {
  if (one.decision !== null) return moved('This was decided meanwhile: please load the page again');
  if (one.userId === actorId) return forbidden('This is about you: another admin decides it');
  if (!ACTIONS_OF[one.kind].includes(action)) return badFields({ action: 'This cannot be done about it' });
  return action !== 'no-fault' && reason.trim() === '' ? badFields({ reason: 'Please give a reason' }) : undefined;
};

export const undoRefusal = (one: Case, actorId: string): AppError | undefined => {
  if (one.decision === null) return moved('This is open: there is nothing to take back');
  if (one.appealedAt !== null) return moved('There is an appeal: decide that');
  return one.userId === actorId ? forbidden('This is about you: another admin decides it') : undefined;
};

/** An appeal is looked at by somebody else. */
export const appealRefusal = (one: Case, actorId: string): AppError | undefined => {
  if (one.appealedAt === null || one.appealUpheld !== null) return moved('There is no appeal that waits');
  if (one.userId === actorId) return forbidden('This is about you: another admin decides it');
  return one.decidedBy === actorId ? forbidden('You decided this: another admin looks at the appeal') : undefined;
};
