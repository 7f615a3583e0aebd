import { sql } from 'kysely';
import type { OrderPhoto } from '#contract/catalog/photos.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';

export const listPhotosOfMessages = async (
  db: Db,
  messageIds: readonly string[],
): Promise<(OrderPhoto & { messageId: string })[]> => {
  const { rows } = await sql<OrderPhoto & { messageId: string }>`
    SELECT i.message_id AS "messageId", p.id, f.width, f.height, f.colour FROM message_photos AS i
      JOIN photos AS p ON p.id = i.photo_id JOIN photo_files AS f ON f.name = p.name
    WHERE i.message_id = ANY (${messageIds}) ORDER BY i.message_id, i.position`.execute(db);
  return rows;
};

export const insertMessagePhotos = async (trx: Trx, messageId: string, ids: readonly string[]): Promise<void> => {
  await trx
    .insertInto('message_photos')
    .values(ids.map((id, position) => ({ message_id: messageId, position, photo_id: id })))
    .execute();
};

/** Takes the photos out of messages; answers which they were. */
export const takeOutOfMessages = async (trx: Trx, messageIds: readonly string[]): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`DELETE FROM message_photos WHERE message_id = ANY (${messageIds})
    RETURNING photo_id AS id`.execute(trx);
  return rows.map(({ id }) => id);
};
