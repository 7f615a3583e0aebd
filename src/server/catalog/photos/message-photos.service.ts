import type { OrderPhoto } from '#contract/catalog/photos.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';
import { chooseOwnPhotos } from './chosen-photos.service.ts';
import { deleteFree, keepPhotos, lockPhotos } from './listing-photos.queries.ts';
import { insertMessagePhotos, listPhotosOfMessages, takeOutOfMessages } from './message-photos.queries.ts';

/** The photos of messages, by the ids of those that have some. */
export const listMessagePhotos = async (
  db: Db,
  messageIds: readonly string[],
): Promise<ReadonlyMap<string, OrderPhoto[]>> => {
  const found = new Map<string, OrderPhoto[]>();
  if (messageIds.length === 0) return found;
  for (const { messageId, ...photo } of await listPhotosOfMessages(db, messageIds))
    found.set(messageId, [...(found.get(messageId) ?? []), photo]);
  return found;
};

/** Shows a user's photos to the other side of a thread; 400 where one is not theirs, is gone or comes twice. */
export const giveMessagePhotos = async (
  trx: Trx,
  { messageId, ownerId, ids }: { messageId: string; ownerId: string; ids: readonly string[] },
): Promise<void> => {
  if (ids.length === 0) return;
  const chosen = await chooseOwnPhotos(trx, ownerId, ids);
  await insertMessagePhotos(trx, messageId, chosen);
  await keepPhotos(trx, chosen);
};

/** Takes what was shown with messages away, once nobody may ask for it any more; it is gone within a minute. */
export const forgetMessagePhotos = async (trx: Trx, messageIds: readonly string[]): Promise<void> => {
  const ids = messageIds.length === 0 ? [] : await takeOutOfMessages(trx, messageIds);
  if (ids.length === 0) return;
  await lockPhotos(trx, ids);
  await deleteFree(trx, ids);
};
