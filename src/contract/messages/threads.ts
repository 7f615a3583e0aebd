import { Type, type Static } from 'typebox';
import { endpoint } from '#contract/endpoint.ts';
import { Id, IsoTime, PageQuery } from '#contract/scalars.ts';
import { Message, MessageDraft, ReadUpTo, ThreadSide } from './messages.ts';

/** Unread threads are counted so far; beyond, it is so many and more. */
export const MOST_UNREAD = 99;

/** Why nothing more can be written in a thread. */
export const ThreadEnd = Type.Union([
  Type.Literal('sold', { description: 'The copy is not for sale any more' }),
  Type.Literal('over', { description: 'The order has been over for too long' }),
  Type.Literal('left', { description: 'The other side has left the shop' }),
  Type.Literal('blocked', { description: 'The viewer blocked the other side' }),
  Type.Literal('closed', { description: 'The other side takes no messages' }),
]);
export type ThreadEnd = Static<typeof ThreadEnd>;

/**
 * What two people write to each other about a copy; `orderId` once it was bought, and the thread is the order's. `with`
 * is the other side's name, `""` once they have left; `sellerSlug` leads to the seller's page. `lastText` is the
 * beginning of the newest message.
 */
export const Thread = Type.Object({
  _id: Id,
  side: ThreadSide,
  with: Type.String(),
  sellerSlug: Type.String(),
  listingId: Type.Union([Id, Type.Null()]),
  title: Type.String(),
  image_url: Type.String(),
  orderId: Type.Union([Id, Type.Null()]),
  lastText: Type.String(),
  lastBy: ThreadSide,
  at: IsoTime,
  isUnread: Type.Boolean(),
  isMuted: Type.Boolean(),
  isBlocked: Type.Boolean(),
  end: Type.Union([ThreadEnd, Type.Null()]),
});
export type Thread = Static<typeof Thread>;

const params = Type.Object({ id: Id });
const Modified = Type.Object({ modifiedCount: Type.Integer() });
const Written = { acknowledged: Type.Boolean(), insertedId: Id };

export const listThreads = endpoint({
  method: 'GET',
  path: '/threads',
  summary: 'Whom the viewer writes with, the last written in first',
  access: 'signed in',
  query: Type.Object({ ...PageQuery, listing: Type.Optional(Id) }),
  status: 200,
  answer: Type.Array(Thread),
  personal: true,
});

/** Counts to 99 and one more; muted threads are left out. */
export const countUnreadThreads = endpoint({
  method: 'GET',
  path: '/threads/unread',
  summary: 'In how many threads something is new to the viewer',
  access: 'signed in',
  status: 200,
  answer: Type.Object({ unread: Type.Integer() }),
  refused: { unread: 0 },
  personal: true,
});

/**
 * Lines of JSON: `{"thread": id}` when something was written in a thread of the viewer, `{}` when something may have
 * been, as at its beginning; empty lines keep it open. It ends with the access token, and a session has two. Whoever
 * cannot listen asks now and then.
 */
export const watchThreads = endpoint({
  method: 'GET',
  path: '/threads/stream',
  summary: 'Tells when something is written to the viewer, as long as it is listened to',
  access: 'signed in',
  status: 200,
  answer: Type.String(),
  stream: 'application/x-ndjson; charset=utf-8',
  personal: true,
});

export const readThread = endpoint({
  method: 'GET',
  path: '/threads/:id',
  summary: 'A thread',
  access: 'its two sides',
  params,
  status: 200,
  answer: Thread,
  personal: true,
});

export const listThreadMessages = endpoint({
  method: 'GET',
  path: '/threads/:id/messages',
  summary: 'What was written in a thread, newest first',
  access: 'its two sides',
  params,
  query: Type.Object(PageQuery),
  status: 200,
  answer: Type.Array(Message),
  personal: true,
});

/** 409 `thread_closed` where nothing more can be written in it. */
export const writeInThread = endpoint({
  method: 'POST',
  path: '/threads/:id/messages',
  summary: 'Writes to the other side of a thread',
  access: 'its two sides; `Idempotency-Key` is honoured',
  params,
  body: MessageDraft,
  status: 201,
  answer: Type.Object(Written),
  refused: { acknowledged: false, insertedId: null },
  personal: true,
});

/**
 * The seller is mailed a link. 403 to the seller and until the writer's address is confirmed; 409 `thread_closed` for a
 * copy that is not for sale any more, and where the seller takes no messages from the writer.
 */
export const askSeller = endpoint({
  method: 'POST',
  path: '/listings/:id/messages',
  summary: 'Writes to the seller of a copy; the first message opens the thread',
  access: 'signed in, with a confirmed address; `Idempotency-Key` is honoured',
  params,
  body: MessageDraft,
  status: 201,
  answer: Type.Object({ ...Written, threadId: Id }),
  refused: { acknowledged: false, insertedId: null, threadId: null },
  personal: true,
});

export const markThreadRead = endpoint({
  method: 'PUT',
  path: '/threads/:id/read',
  summary: 'Marks what was written in a thread as read',
  access: 'its two sides',
  params,
  body: ReadUpTo,
  status: 200,
  answer: Modified,
  refused: { modifiedCount: 0 },
  personal: true,
});

/**
 * Muted, a thread is neither mailed nor counted as new. Blocked, the other side cannot write to the viewer but about an
 * order of the two.
 */
export const setThread = endpoint({
  method: 'PUT',
  path: '/threads/:id',
  summary: 'Mutes a thread, or blocks whoever is at its other side',
  access: 'its two sides',
  params,
  body: Type.Object({ isMuted: Type.Boolean(), isBlocked: Type.Boolean() }),
  status: 200,
  answer: Modified,
  refused: { modifiedCount: 0 },
  personal: true,
});
