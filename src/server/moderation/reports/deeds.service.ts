import type { ReportAction, ReportedKind } from '#contract/admin/reports.ts';
import {
  deleteReported,
  hideReported,
  showReported,
  takePhotoDown,
} from '#server/catalog/listings/reported/reported.service.ts';
import { lockUsers } from '#server/identity/users/user-lists.service.ts';
import { setMessageHidden } from '#server/messages/messages.service.ts';
import { endWhatIsOpen, takeOut, type ModerationDeps } from '#server/moderation/moderation.service.ts';
import { putBack } from '#server/moderation/restoring.service.ts';
import { liftLocked, suspendLocked } from '#server/moderation/suspending/suspending.service.ts';
import { setReviewSeen } from '#server/orders/reviews/held-reviews.service.ts';
import { AppError } from '#server/platform/errors.ts';
import type { Trx } from '#server/platform/postgres/db.ts';
import { releaseHeld } from './holding.service.ts';

interface Subject {
  readonly kind: ReportedKind;
  readonly subjectId: string;
  readonly userId: string;
  readonly title: string;
}

interface Decided {
  readonly actorId: string;
  readonly action: ReportAction;
  readonly reason: string;
  readonly days: number | undefined;
}

const HIDE: Readonly<Partial<Record<ReportedKind, (trx: Trx, one: Subject) => Promise<void>>>> = {
  copy: (trx, { subjectId }) => hideReported(trx, subjectId),
  photo: (trx, { subjectId, userId }) => takePhotoDown(trx, subjectId, userId),
  review: (trx, { subjectId }) => setReviewSeen(trx, subjectId, false),
  message: (trx, { subjectId }) => setMessageHidden(trx, subjectId, true),
};

/** Photos are gone for good: their seller may upload them anew. */
const SHOW: Readonly<Partial<Record<ReportedKind, (trx: Trx, one: Subject) => Promise<void>>>> = {
  copy: (trx, { subjectId }) => showReported(trx, subjectId),
  review: (trx, { subjectId }) => setReviewSeen(trx, subjectId, true),
  message: (trx, { subjectId }) => setMessageHidden(trx, subjectId, false),
};

/** Locks whom a decision takes something from, who is there and no admin. */
const lockPerson = async (trx: Trx, userId: string): Promise<void> => {
  const [user] = await lockUsers(trx, [userId]);
  if (user === undefined) throw new AppError('case_moved', 'This person has left the shop');
  if (user.isAdmin) throw new AppError('case_moved', 'This is an admin: remove the role first');
};

/** Does what was decided about a thing, in the transaction that decides it. */
export const doDeed = async (trx: Trx, one: Subject, { actorId, action, reason, days }: Decided): Promise<void> => {
  // A copy that waited for this look goes live; one that was on the shelf stays there.
  if (one.kind === 'copy' && (action === 'no-fault' || action === 'warn')) await releaseHeld(trx, one);
  if (action === 'hide') await HIDE[one.kind]?.(trx, one);
  if (action === 'delete' && one.kind === 'copy') await deleteReported(trx, one.subjectId);
  if (action === 'suspend') {
    await lockPerson(trx, one.userId);
    await suspendLocked(trx, { userId: one.userId, actorId, reason, days }, false);
  }
  if (action === 'delete' && one.kind === 'person') {
    await lockPerson(trx, one.userId);
    await takeOut(trx, { userId: one.userId, actorId, action: 'user deleted' });
  }
};

/** Ends what somebody who was deleted had begun; what cannot end now is left to the sweeps and told to `onError`. */
export const afterDeed = async (
  deps: ModerationDeps,
  one: Subject,
  { actorId, action }: Pick<Decided, 'actorId' | 'action'>,
  onError: (error: unknown, id: string) => void,
): Promise<void> => {
  if (action === 'delete' && one.kind === 'person')
    await endWhatIsOpen(deps, { userId: one.userId, adminId: actorId }, onError);
};

/** Gives back what a decision took. */
export const undoDeed = async (trx: Trx, one: Subject, action: ReportAction, actorId: string): Promise<void> => {
  if (action === 'hide') await SHOW[one.kind]?.(trx, one);
  if (action === 'delete' && one.kind === 'copy') await showReported(trx, one.subjectId);
  if (action === 'delete' && one.kind === 'person') await putBack(trx, one.userId, actorId);
  if (action === 'suspend') {
    await lockUsers(trx, [one.userId]);
    await liftLocked(trx, one.userId, actorId);
  }
};
