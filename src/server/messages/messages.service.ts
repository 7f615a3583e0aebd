import { numberCursorOf, numberPositionOf } from '#server/platform/cursor.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';
import { insertMessage, listMessageRows, openThread, type MessageRow, type Thread } from './messages.queries.ts';

export { forgetMessages, listMessagesToExport } from './messages.queries.ts';

/**
 * Writes a message into the thread of an order; answers its id. Who may write, and who is told of it, is known by
 * whoever asks.
 */
export const writeMessage = async (
  trx: Trx,
  { senderId, body, ...thread }: Thread & { senderId: string; body: string },
): Promise<string> => insertMessage(trx, { threadId: await openThread(trx, thread), senderId, body });

/** A page of the thread of an order, the newest first; none where nobody has written. */
export const listMessages = async (
  db: Db,
  orderId: string,
  { limit, cursor }: { limit: number; cursor: string | undefined },
): Promise<{ rows: MessageRow[]; next?: string }> => {
  const found = await listMessageRows(db, orderId, { limit: limit + 1, below: numberPositionOf(cursor) });
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  return found.length > limit && last !== undefined ? { rows, next: numberCursorOf(last.n) } : { rows };
};
