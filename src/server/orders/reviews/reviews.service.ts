import { leadsOutside } from '#contract/contacts.ts';
import { REVIEW_DAYS, REVIEW_SHOWN_DAYS } from '#contract/orders/reviews.ts';
import type { OrderReviews, OwnReview, Review, ReviewDraft } from '#contract/orders/reviews.ts';
import { inSentence } from '#contract/text.ts';
import { noSuchOrder, sideOf } from '#server/orders/order.policy.ts';
import { findOrder, lockOrder, readShopNow, type Order } from '#server/orders/order.queries.ts';
import { pageOf, positionOf } from '#server/platform/cursor.ts';
import { AppError, badFields, notFound } from '#server/platform/errors.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';
import { requireSignedIn, type Viewer } from '#server/platform/viewer.ts';
import { mailReview } from './review-mails.service.ts';
import {
  listAbout,
  listOfOrder,
  lockReview,
  showDue,
  upsertReview,
  writeReply,
  type ReviewRow,
  type ReviewSide,
} from './reviews.queries.ts';

export { listToExport as listReviewsToExport, sumAbout as sumReviewsAbout } from './reviews.queries.ts';

const DAY_MS = 86_400_000;
/** Reviews that one look of the sweep shows at most. */
const BATCH = 100;

const otherOf = (side: ReviewSide): ReviewSide => (side === 'buyer' ? 'seller' : 'buyer');

/** `Maya Keller` as strangers read it: `Maya K.` */
const shortName = (name: string): string => {
  const [first = '', ...rest] = name.trim().split(/\s+/);
  const [letter] = rest.at(-1) ?? '';
  return letter === undefined ? first : `${first} ${letter}.`;
};

const saidBy = (row: ReviewRow) => ({
  _id: row.id,
  by: row.by,
  stars: row.stars,
  asDescribed: row.asDescribed,
  wellPacked: row.wellPacked,
  inTime: row.inTime,
  words: row.words,
  at: (row.shownAt ?? row.writtenAt).toISOString(),
  reply: row.isReplyHeld ? '' : row.reply,
});

const asShown = (row: ReviewRow): Review => ({
  ...saidBy(row),
  author: shortName(row.author),
  title: inSentence(row.titles),
});

const asOwn = (row: ReviewRow): OwnReview => ({
  ...saidBy(row),
  isShown: row.state === 'open' && row.shownAt !== null,
  isHeld: row.state === 'held',
  isRemoved: row.state === 'removed',
});

const isShown = (row: ReviewRow | undefined): row is ReviewRow =>
  row !== undefined && row.state === 'open' && row.shownAt !== null;

/**
 * Until when a side may write or change its review; undefined where it may not: only closed orders are reviewed, and
 * what is shown, or was written before the other's was read, stays as it is.
 */
const writableUntil = (
  { state, closedAt }: Pick<Order, 'state' | 'closedAt'>,
  now: Date,
  { mine, theirs }: { mine: ReviewRow | undefined; theirs: ReviewRow | undefined },
): Date | undefined => {
  if (state !== 'closed' || closedAt === null) return undefined;
  const until = new Date(closedAt.getTime() + REVIEW_DAYS * DAY_MS);
  if (now >= until) return undefined;
  if (mine !== undefined && (mine.shownAt !== null || mine.state === 'removed' || isShown(theirs))) return undefined;
  return until;
};

/** What the two sides of an order say of each other, for one of them or an admin; for anyone else there is no order. */
export const readOrderReviews = async (db: Db, viewer: Viewer, orderId: string): Promise<OrderReviews> => {
  const user = requireSignedIn(viewer);
  const order = await findOrder(db, orderId);
  const side = order && sideOf(user, order);
  if (order === undefined || side === undefined) throw noSuchOrder();
  const [rows, now] = await Promise.all([listOfOrder(db, orderId), readShopNow(db)]);
  if (side === 'admin') return { mine: null, theirs: null, writeBy: null, mayReply: false, isReplyHeld: false };
  const mine = rows.find(({ by }) => by === side);
  const theirs = rows.find(({ by }) => by !== side);
  return {
    mine: mine === undefined ? null : asOwn(mine),
    theirs: isShown(theirs) ? asShown(theirs) : null,
    writeBy: writableUntil(order, now, { mine, theirs })?.toISOString() ?? null,
    mayReply: isShown(theirs) && theirs.reply === '',
    isReplyHeld: isShown(theirs) && theirs.isReplyHeld,
  };
};

const plain = (text: string): string => text.replaceAll('\r\n', '\n').trim();

const tellShown = async (
  trx: Trx,
  shown: readonly { id: string; orderId: string; by: ReviewSide }[],
): Promise<void> => {
  for (const { id, orderId, by } of shown)
    await mailReview(trx, { orderId, side: otherOf(by), key: `shown:${id}`, about: 'shown' });
};

/**
 * Writes the viewer's review of a closed order, or what it says from now on. With the second of an order both are
 * shown. 409 `review_closed` where its time is over.
 */
export const writeReview = (
  db: Db,
  viewer: Viewer,
  { id: orderId, draft }: { id: string; draft: ReviewDraft },
): Promise<{ insertedId: string; state: string }> => {
  const user = requireSignedIn(viewer);
  return db.transaction().execute(async (trx) => {
    const order = await lockOrder(trx, orderId);
    const side = order && sideOf(user, order);
    if (order === undefined || side === undefined || side === 'admin') throw noSuchOrder();
    const rows = await listOfOrder(trx, orderId);
    const [mine, theirs] = [rows.find(({ by }) => by === side), rows.find(({ by }) => by !== side)];
    if (writableUntil(order, await readShopNow(trx), { mine, theirs }) === undefined) {
      throw new AppError(
        'review_closed',
        order.state === 'closed'
          ? 'This order can no longer be reviewed'
          : 'An order can be reviewed once it is closed',
      );
    }
    const words = plain(draft.words);
    const state = leadsOutside(words) ? 'held' : 'open';
    const fact = (value: boolean | null | undefined) => (side === 'buyer' ? (value ?? null) : null);
    const insertedId = await upsertReview(trx, {
      orderId,
      by: side,
      authorId: user.userId,
      subjectId: side === 'buyer' ? order.sellerId : order.buyerId,
      stars: draft.stars,
      asDescribed: fact(draft.asDescribed),
      wellPacked: fact(draft.wellPacked),
      inTime: fact(draft.inTime),
      words,
      state,
    });
    await tellShown(trx, await showDue(trx, { orderId, days: REVIEW_SHOWN_DAYS, limit: 2 }));
    return { insertedId, state };
  });
};

/** Shows reviews whose other side has had its time, and tells whom they are about; answers how many. */
export const showDueReviews = (db: Db): Promise<number> =>
  db.transaction().execute(async (trx) => {
    const shown = await showDue(trx, { days: REVIEW_SHOWN_DAYS, limit: BATCH });
    await tellShown(trx, shown);
    return shown.length;
  });

/** Replies to a review about the viewer, once; for anyone else there is no review. */
export const replyToReview = (
  db: Db,
  viewer: Viewer,
  { id, text }: { id: string; text: string },
): Promise<{ acknowledged: boolean; state: string }> => {
  const user = requireSignedIn(viewer);
  const reply = plain(text);
  if (reply === '') throw badFields({ text: 'Write something first' });
  return db.transaction().execute(async (trx) => {
    const review = await lockReview(trx, id);
    if (!isShown(review) || review.subjectId !== user.userId) throw notFound('There is no such review');
    if (review.reply !== '') throw new AppError('review_closed', 'You have replied to this review');
    const isHeld = leadsOutside(reply);
    await writeReply(trx, id, reply, isHeld);
    if (!isHeld) {
      const { orderId, by } = review;
      await mailReview(trx, { orderId, side: by, key: `replied:${id}`, about: 'replied' });
    }
    return { acknowledged: true, state: isHeld ? 'held' : 'open' };
  });
};

/** A page of the reviews about somebody that everybody sees, the newest first. */
export const listReviewsAbout = async (
  db: Db,
  subjectId: string,
  { limit, cursor }: { limit: number; cursor: string | undefined },
): Promise<{ rows: Review[]; next?: string }> => {
  const page = pageOf(await listAbout(db, subjectId, { limit: limit + 1, after: positionOf(cursor) }), limit);
  return { ...page, rows: page.rows.map(asShown) };
};
