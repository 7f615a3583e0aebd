import type { Note } from '#contract/messages/notes.ts';
import { once } from '#server/bookings/idempotency.service.ts';
import { listMessages, writeMessage } from '#server/messages/messages.service.ts';
import { mailNote } from '#server/orders/order-mails.service.ts';
import { mayReach, noSuchOrder, sideOf } from '#server/orders/order.policy.ts';
import { findOrder, readShopNow } from '#server/orders/order.queries.ts';
import { limitOf } from '#server/platform/cursor.ts';
import { AppError, badFields, forbidden } from '#server/platform/errors.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { requireSignedIn, type Viewer } from '#server/platform/viewer.ts';

/** Notes of an order for its buyer, its seller or an admin, newest first; for anyone else the order does not exist. */
export const listNotes = async (
  db: Db,
  viewer: Viewer,
  input: { id: string; limit?: string | undefined; cursor?: string | undefined },
): Promise<{ rows: Note[]; next?: string }> => {
  const user = requireSignedIn(viewer);
  const order = await findOrder(db, input.id);
  if (order === undefined || sideOf(user, order) === undefined) throw noSuchOrder();
  const page = await listMessages(db, order.id, { limit: limitOf(input.limit), cursor: input.cursor });
  return {
    ...page,
    rows: page.rows.map(({ id, senderId, body, at }) => ({
      _id: id,
      by: senderId === order.buyerId ? 'buyer' : 'seller',
      text: body,
      at: at.toISOString(),
    })),
  };
};

/** Lines as they are shown, whatever the machine they were typed on calls the end of one. */
const plain = (text: string): string => text.replaceAll('\r\n', '\n').trim();

/**
 * Writes a note and mails the other side a link to it, in one transaction; with a key, once. While the order is open
 * and for `reachDays` after its end.
 */
export const writeNote = (
  db: Db,
  viewer: Viewer,
  input: { id: string; text: string; reachDays: number; idempotencyKey: string | undefined },
): Promise<{ acknowledged: boolean; insertedId: string }> => {
  const user = requireSignedIn(viewer);
  const { id, reachDays, idempotencyKey: key } = input;
  const body = plain(input.text);
  if (body === '') throw badFields({ text: 'Write something first' });
  const request = { userId: user.userId, operation: 'POST /orders/:id/notes', key, body: { id, body } };
  return once(db, request, {
    look: async (trx) => ({ order: await findOrder(trx, id), now: await readShopNow(trx) }),
    work: async (trx, { order, now }) => {
      const side = order && sideOf(user, order);
      if (order === undefined || side === undefined) throw noSuchOrder();
      if (side === 'admin') throw forbidden('Notes are between buyer and seller; admins only read them');
      if (!mayReach(order, now, reachDays)) {
        throw new AppError('thread_closed', 'This order has been over for too long to write about it');
      }
      const { buyerId, sellerId } = order;
      const insertedId = await writeMessage(trx, { orderId: id, buyerId, sellerId, senderId: user.userId, body });
      await mailNote(trx, { orderId: id, noteId: insertedId, by: side });
      return { acknowledged: true, insertedId };
    },
  });
};
