import { leadsOutside } from '#contract/contacts.ts';
import type { Message, MessageDraft } from '#contract/messages/messages.ts';
import {
  forgetMessagePhotos,
  giveMessagePhotos,
  listMessagePhotos,
} from '#server/catalog/photos/message-photos.service.ts';
import { queueMail } from '#server/mail/outbox.service.ts';
import { limitOf, numberCursorOf, numberPositionOf } from '#server/platform/cursor.ts';
import { badFields } from '#server/platform/errors.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';
import { forgetMessageWords, insertMessage, listMessageRows, setHidden } from './messages.queries.ts';
import { findToTell, openOrderThread, type ThreadSide } from './threads.queries.ts';

export { listMessagesToExport } from './messages.queries.ts';
export { listBlocks as listBlocksToExport, markReadUpTo } from './threads.queries.ts';

/** Messages are kept for so long after they were written, those of an order after its end. */
const KEEP_DAYS = 730;
/** Messages changed at once: well within the time of a statement. */
const BATCH = 500;

/** What was sent, as it is kept: lines end alike, whatever machine they were typed on. 400 where it says nothing. */
export const checkedDraft = ({ text, photos = [] }: MessageDraft): { body: string; photos: readonly string[] } => {
  const body = text.replaceAll('\r\n', '\n').trim();
  if (body === '' && photos.length === 0) throw badFields({ text: 'Write something first' });
  return { body, photos };
};

/** What is written, by whom, and what its mail says it is about. */
export interface Written {
  readonly senderId: string;
  readonly side: ThreadSide;
  readonly from: string;
  readonly body: string;
  readonly photos: readonly string[];
  readonly title: string;
}

/**
 * Writes a message and tells the other side of it with a link: once for all that are written within an hour and not
 * read, and not where they muted the thread or left. Who may write is known by whoever asks. Answers its id.
 */
export const writeMessage = async (
  trx: Trx,
  thread: { id: string; orderId: string | null },
  { senderId, side, from, body, photos, title }: Written,
): Promise<string> => {
  const id = await insertMessage(trx, { threadId: thread.id, senderId, body });
  await giveMessagePhotos(trx, { messageId: id, ownerId: senderId, ids: photos });
  const to = await findToTell(trx, {
    threadId: thread.id,
    to: side === 'buyer' ? 'seller' : 'buyer',
    messageId: id,
  });
  if (to === undefined) return id;
  const { email, name } = to;
  const mail = { key: `message:${id}:${to.id}`, to: { email, name } };
  if (thread.orderId !== null)
    await queueMail(trx, { ...mail, kind: 'note', data: { orderId: thread.orderId, title, from: side } });
  else await queueMail(trx, { ...mail, kind: 'message', data: { threadId: thread.id, title, from } });
  return id;
};

/** As `writeMessage`, in the thread of an order, which the first message opens. */
export const writeOrderMessage = async (
  trx: Trx,
  order: { id: string; buyerId: string; sellerId: string },
  written: Written,
): Promise<string> => {
  const id = await openOrderThread(trx, { orderId: order.id, buyerId: order.buyerId, sellerId: order.sellerId });
  return writeMessage(trx, { id, orderId: order.id }, written);
};

/** A page of a thread, or of the thread of an order, the newest first; none where nobody has written. */
export const listMessages = async (
  db: Db,
  of: { threadId: string } | { orderId: string },
  { limit, cursor }: { limit?: string | undefined; cursor?: string | undefined },
): Promise<{ rows: Message[]; next?: string }> => {
  const most = limitOf(limit);
  const found = await listMessageRows(db, of, { limit: most + 1, below: numberPositionOf(cursor) });
  const shown = found.slice(0, most);
  const photos = await listMessagePhotos(
    db,
    shown.filter(({ isHidden }) => !isHidden).map(({ id }) => id),
  );
  const rows = shown.map(({ id, senderId, buyerId, body, at, isForgotten, isHidden }) => ({
    _id: id,
    by: senderId === buyerId ? ('buyer' as const) : ('seller' as const),
    text: isHidden ? '' : body,
    photos: photos.get(id) ?? [],
    leadsOutside: !isHidden && leadsOutside(body),
    isForgotten,
    isHidden,
    at: at.toISOString(),
  }));
  const last = shown.at(-1);
  return found.length > most && last !== undefined ? { rows, next: numberCursorOf(last.n) } : { rows };
};

/** Puts a message and its photos out of both sides' sight, for an admin who decided so, or into it again. */
export const setMessageHidden = (trx: Trx, id: string, isHidden: boolean): Promise<void> =>
  setHidden(trx, id, isHidden);

const forget = async (db: Db, what: { senderId: string | undefined; days: number }): Promise<number> => {
  for (let all = 0; ;) {
    const forgotten = await db.transaction().execute(async (trx) => {
      const ids = await forgetMessageWords(trx, { ...what, limit: BATCH });
      await forgetMessagePhotos(trx, ids);
      return ids.length;
    });
    all += forgotten;
    if (forgotten < BATCH) return all;
  }
};

/**
 * Forgets what one who left wrote and showed: of orders that ended more than `days` ago, and of copies they asked about
 * or were asked about so long ago.
 */
export const forgetMessages = (db: Db, senderId: string, days: number): Promise<number> =>
  forget(db, { senderId, days });

/** Forgets everybody's messages after two years; answers how many. To be run now and then. */
export const tidyMessages = (db: Db): Promise<number> => forget(db, { senderId: undefined, days: KEEP_DAYS });
