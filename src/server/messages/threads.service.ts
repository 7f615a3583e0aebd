import { MOST_UNREAD, type Thread } from '#contract/messages/threads.ts';
import type { Message, MessageDraft } from '#contract/messages/messages.ts';
import { inSentence, oneLine } from '#contract/text.ts';
import { once } from '#server/bookings/idempotency.service.ts';
import { limitOf, numberCursorOf, numberPositionOf } from '#server/platform/cursor.ts';
import { AppError, forbidden, notFound } from '#server/platform/errors.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';
import { requireGoodStanding, requireSignedIn, type SignedIn, type Viewer } from '#server/platform/viewer.ts';
import { endOf } from './messages.policy.ts';
import { checkedDraft, listMessages, writeMessage } from './messages.service.ts';
import {
  countUnreadRows,
  findAskedCopy,
  findThread,
  isBlockedBetween,
  listThreadRows,
  lockThread,
  markReadUpTo,
  openThread,
  writeBlock,
  writeMuted,
  type ThreadRow,
} from './threads.queries.ts';

/** Characters of the newest message that a list shows. */
const MOST_SHOWN = 140;

const noSuchThread = () => notFound('There is no such conversation');

const CLOSED = {
  sold: 'This copy is not for sale any more',
  over: 'This order has been over for too long to write about it',
  left: 'The other side has left the shop',
  blocked: 'You blocked messages from here: take that back to write',
  closed: 'You cannot write here any more',
} as const;

const closed = (why: keyof typeof CLOSED): AppError => new AppError('thread_closed', CLOSED[why]);

const shown = (thread: ThreadRow, reachDays: number): Thread => ({
  _id: thread.id,
  side: thread.side,
  with: thread.isOtherThere ? thread.other : '',
  sellerSlug: thread.sellerSlug,
  listingId: thread.listingId,
  title: inSentence(thread.titles),
  image_url: thread.imageUrl,
  orderId: thread.orderId,
  lastText: oneLine(thread.lastText).slice(0, MOST_SHOWN),
  lastBy: thread.lastBy,
  at: thread.at.toISOString(),
  isUnread: thread.isUnread,
  isMuted: thread.isMuted,
  isBlocked: thread.isBlocked,
  end: endOf(thread, reachDays),
});

interface Reach {
  readonly reachDays: number;
}

/** The viewer's threads, the last written in first; with `listing` those about one copy. */
export const listThreads = async (
  db: Db,
  viewer: Viewer,
  query: Reach & { limit?: string | undefined; cursor?: string | undefined; listing?: string | undefined },
): Promise<{ rows: Thread[]; next?: string }> => {
  const { userId } = requireSignedIn(viewer);
  const limit = limitOf(query.limit);
  const found = await listThreadRows(db, userId, {
    limit: limit + 1,
    below: numberPositionOf(query.cursor),
    listingId: query.listing,
  });
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  const page = { rows: rows.map((row) => shown(row, query.reachDays)) };
  return found.length > limit && last !== undefined ? { ...page, next: numberCursorOf(last.lastN) } : page;
};

/** In how many of them something is new. */
export const countUnreadThreads = async (db: Db, viewer: Viewer): Promise<{ unread: number }> => ({
  unread: await countUnreadRows(db, requireSignedIn(viewer).userId, MOST_UNREAD + 1),
});

/** A thread of the viewer's; for everybody else, admins too, it does not exist. */
const threadOf = async (db: Db, viewer: Viewer, id: string): Promise<{ user: SignedIn; thread: ThreadRow }> => {
  const user = requireSignedIn(viewer);
  const thread = await findThread(db, id, user.userId);
  if (thread === undefined) throw noSuchThread();
  return { user, thread };
};

export const readThread = async (db: Db, viewer: Viewer, { id, reachDays }: Reach & { id: string }): Promise<Thread> =>
  shown((await threadOf(db, viewer, id)).thread, reachDays);

export const listThreadMessages = async (
  db: Db,
  viewer: Viewer,
  query: { id: string; limit?: string | undefined; cursor?: string | undefined },
): Promise<{ rows: Message[]; next?: string }> => {
  const { thread } = await threadOf(db, viewer, query.id);
  return listMessages(db, { threadId: thread.id }, query);
};

interface Draft extends MessageDraft {
  readonly id: string;
  readonly idempotencyKey: string | undefined;
}

/** Writes into a thread; with a key, once. 409 `thread_closed` where nothing more can be written in it. */
export const writeInThread = (
  db: Db,
  viewer: Viewer,
  { id, idempotencyKey: key, reachDays, ...draft }: Draft & Reach,
): Promise<{ acknowledged: boolean; insertedId: string }> => {
  const user = requireSignedIn(viewer);
  const checked = checkedDraft(draft);
  const request = { userId: user.userId, operation: 'POST /threads/:id/messages', key, body: { id, ...checked } };
  return once(db, request, {
    look: (trx) => findThread(trx, id, user.userId),
    work: async (trx, seen) => {
      if (seen === undefined) throw noSuchThread();
      await lockThread(trx, seen.id);
      // As it is now that nothing changes it: it may have become an order's.
      const thread = await findThread(trx, seen.id, user.userId);
      if (thread === undefined) throw noSuchThread();
      const end = endOf(thread, reachDays);
      if (end !== null) throw closed(end);
      if (thread.orderId === null) requireGoodStanding(user);
      const { side, titles } = thread;
      const written = { senderId: user.userId, side, from: user.name, title: inSentence(titles), ...checked };
      return { acknowledged: true, insertedId: await writeMessage(trx, thread, written) };
    },
  });
};

const ask = async (
  trx: Trx,
  user: SignedIn,
  { listingId, ...checked }: { listingId: string; body: string; photos: readonly string[] },
): Promise<{ acknowledged: boolean; insertedId: string; threadId: string }> => {
  const copy = await findAskedCopy(trx, listingId);
  if (copy === undefined || copy.isWithdrawn || copy.copy === 'paused') throw notFound('There is no such book');
  const { sellerId, title } = copy;
  if (sellerId === user.userId) throw forbidden('This is your own book');
  if (copy.copy === 'gone') throw closed('sold');
  if (!copy.isSellerThere) throw closed('left');
  if (await isBlockedBetween(trx, user.userId, sellerId)) throw closed('closed');
  const threadId = await openThread(trx, { listingId, buyerId: user.userId, sellerId });
  if (threadId === undefined) throw closed('sold');
  const written = { senderId: user.userId, side: 'buyer' as const, from: user.name, title, ...checked };
  const insertedId = await writeMessage(trx, { id: threadId, orderId: null }, written);
  return { acknowledged: true, insertedId, threadId };
};

/** Writes to the seller of a copy; with a key, once. Whoever writes to strangers has an address that is confirmed. */
export const askSeller = (
  db: Db,
  viewer: Viewer,
  { id, idempotencyKey: key, ...draft }: Draft,
): Promise<{ acknowledged: boolean; insertedId: string; threadId: string }> => {
  const user = requireSignedIn(viewer);
  requireGoodStanding(user);
  if (user.emailProvenAt === null)
    throw forbidden('Confirm your email address first: your dashboard mails you the link');
  const checked = checkedDraft(draft);
  const request = { userId: user.userId, operation: 'POST /listings/:id/messages', key, body: { id, ...checked } };
  return once(db, request, {
    look: () => Promise.resolve(),
    work: (trx) => ask(trx, user, { listingId: id, ...checked }),
  });
};

/** Marks what the viewer has seen, up to and with the message `upTo`. */
export const markThreadRead = async (
  db: Db,
  viewer: Viewer,
  { id, upTo }: { id: string; upTo: string },
): Promise<{ modifiedCount: number }> => {
  const { thread } = await threadOf(db, viewer, id);
  return {
    modifiedCount: await markReadUpTo(db, { of: { threadId: thread.id }, side: thread.side, messageId: upTo }),
  };
};

/** Mutes a thread or not, and blocks the other side or not; the same again changes nothing. */
export const setThread = async (
  db: Db,
  viewer: Viewer,
  { id, isMuted, isBlocked }: { id: string; isMuted: boolean; isBlocked: boolean },
): Promise<{ modifiedCount: number }> => {
  const { user, thread } = await threadOf(db, viewer, id);
  return db.transaction().execute(async (trx) => {
    const muted = await writeMuted(trx, { threadId: thread.id, side: thread.side, isMuted });
    const blocked = await writeBlock(trx, { blockerId: user.userId, blockedId: thread.otherId, isBlocked });
    return { modifiedCount: Math.max(muted, blocked) };
  });
};
