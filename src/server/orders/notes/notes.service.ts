import type { Message, MessageDraft } from '#contract/messages/messages.ts';
import { inSentence } from '#contract/text.ts';
import { once } from '#server/bookings/idempotency.service.ts';
import { checkedDraft, listMessages, markReadUpTo, writeOrderMessage } from '#server/messages/messages.service.ts';
import { readMailedOrder } from '#server/orders/mails/order-mails.queries.ts';
import { mayReach, noSuchOrder, sideOf } from '#server/orders/order.policy.ts';
import { findOrder, readShopNow } from '#server/orders/order.queries.ts';
import { AppError, forbidden } from '#server/platform/errors.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { requireSignedIn, type Viewer } from '#server/platform/viewer.ts';

/** Notes of an order for its buyer, its seller or an admin, newest first; for anyone else the order does not exist. */
export const listNotes = async (
  db: Db,
  viewer: Viewer,
  input: { id: string; limit?: string | undefined; cursor?: string | undefined },
): Promise<{ rows: Message[]; next?: string }> => {
  const user = requireSignedIn(viewer);
  const order = await findOrder(db, input.id);
  if (order === undefined || sideOf(user, order) === undefined) throw noSuchOrder();
  return listMessages(db, { orderId: order.id }, input);
};

/**
 * Writes a note and mails the other side a link to it, in one transaction; with a key, once. While the order is open
 * and for `reachDays` after its end.
 */
export const writeNote = (
  db: Db,
  viewer: Viewer,
  input: MessageDraft & { id: string; reachDays: number; idempotencyKey: string | undefined },
): Promise<{ acknowledged: boolean; insertedId: string }> => {
  const user = requireSignedIn(viewer);
  const { id, reachDays, idempotencyKey: key } = input;
  const checked = checkedDraft(input);
  const request = { userId: user.userId, operation: 'POST /orders/:id/notes', key, body: { id, ...checked } };
  return once(db, request, {
    look: async (trx) => ({ order: await findOrder(trx, id), now: await readShopNow(trx) }),
    work: async (trx, { order, now }) => {
      const side = order && sideOf(user, order);
      if (order === undefined || side === undefined) throw noSuchOrder();
      if (side === 'admin') throw forbidden('Notes are between buyer and seller; admins only read them');
      if (!mayReach(order, now, reachDays)) {
        throw new AppError('thread_closed', 'This order has been over for too long to write about it');
      }
      const title = inSentence((await readMailedOrder(trx, id)).titles);
      const written = { senderId: user.userId, side, from: user.name, title, ...checked };
      return { acknowledged: true, insertedId: await writeOrderMessage(trx, order, written) };
    },
  });
};

/** Marks what the viewer has seen, up to and with the note `upTo`; an admin's look leaves no mark. */
export const readNotes = async (
  db: Db,
  viewer: Viewer,
  { id, upTo }: { id: string; upTo: string },
): Promise<{ modifiedCount: number }> => {
  const user = requireSignedIn(viewer);
  const order = await findOrder(db, id);
  const side = order && sideOf(user, order);
  if (order === undefined || side === undefined) throw noSuchOrder();
  if (side === 'admin') return { modifiedCount: 0 };
  return { modifiedCount: await markReadUpTo(db, { of: { orderId: id }, side, messageId: upTo }) };
};
