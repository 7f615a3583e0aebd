import type { HeldReview } from '#contract/orders/reviews.ts';
import { recordAudit } from '#server/audit/audit.service.ts';
import { limitOf, pageOf, positionOf } from '#server/platform/cursor.ts';
import { AppError, badFields, notFound } from '#server/platform/errors.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';
import { requireAdmin, type Viewer } from '#server/platform/viewer.ts';
import { mailReview } from './review-mails.service.ts';
import { endHeldReply, listHeld, lockReview, setReviewState } from './reviews.queries.ts';

/** Reviews and replies that wait for an admin, the oldest first. */
export const listHeldReviews = async (
  db: Db,
  viewer: Viewer,
  query: { limit?: string | undefined; cursor?: string | undefined },
): Promise<{ rows: HeldReview[]; next?: string }> => {
  requireAdmin(viewer);
  const limit = limitOf(query.limit);
  const page = pageOf(await listHeld(db, { limit: limit + 1, after: positionOf(query.cursor) }), limit);
  return { ...page, rows: page.rows.map(({ id, ...row }) => ({ _id: id, ...row })) };
};

/** Takes a review that was reported out of sight, or shows it again. */
export const setReviewSeen = (trx: Trx, id: string, isSeen: boolean): Promise<void> =>
  setReviewState(trx, id, isSeen ? 'open' : 'removed');

interface Decision {
  readonly id: string;
  readonly what: 'review' | 'reply';
  readonly allow: boolean;
  readonly reason: string;
}

/** Lets a held review or reply be shown in its time, or removes it with a reason; its author is told. */
export const decideHeldReview = (db: Db, viewer: Viewer, decision: Decision): Promise<{ modifiedCount: number }> => {
  const { userId: actorId } = requireAdmin(viewer);
  const { id, what, allow } = decision;
  const reason = decision.reason.trim();
  if (!allow && reason === '') throw badFields({ reason: 'Please say why' });
  return db.transaction().execute(async (trx) => {
    const review = await lockReview(trx, id);
    if (review === undefined) throw notFound('There is no such review');
    const isHeld = what === 'review' ? review.state === 'held' : review.isReplyHeld;
    if (!isHeld) throw new AppError('review_closed', 'This does not wait for an admin any more');
    if (what === 'review') await setReviewState(trx, id, allow ? 'open' : 'removed');
    else await endHeldReply(trx, id, allow);
    const { orderId, by } = review;
    const otherSide = by === 'buyer' ? 'seller' : 'buyer';
    const about = allow ? 'allowed' : 'removed';
    await mailReview(trx, {
      orderId,
      side: what === 'review' ? by : otherSide,
      key: `${about}:${what}`,
      about,
      reason,
    });
    if (allow && what === 'reply') await mailReview(trx, { orderId, side: by, key: `replied:${id}`, about: 'replied' });
    await recordAudit(trx, {
      actorId,
      action: allow ? 'review allowed' : 'review removed',
      subject: { kind: 'user', id: what === 'review' ? review.authorId : review.subjectId },
      details: { what, order: orderId, ...(reason !== '' && { reason }) },
    });
    return { modifiedCount: 1 };
  });
};
