import { sql, type SqlBool } from 'kysely';
import type { Position } from '#server/platform/cursor.ts';
import { SHOP_NOW } from '#server/platform/postgres/clock.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';

export const insertMessage = async (
  trx: Trx,
  message: { threadId: string; senderId: string; body: string },
): Promise<string> => {
  const { id } = await trx
    .insertInto('messages')
    .values({ thread_id: message.threadId, sender_id: message.senderId, body: message.body })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
};

export interface MessageRow {
  readonly id: string;
  readonly n: string;
  readonly senderId: string;
  readonly buyerId: string;
  readonly body: string;
  readonly at: Date;
  readonly isForgotten: boolean;
  readonly isHidden: boolean;
}

/** Messages of a thread, or of the thread of an order, the newest first, below a number. */
export const listMessageRows = (
  db: Db,
  of: { threadId: string } | { orderId: string },
  page: { limit: number; below: string | undefined },
): Promise<MessageRow[]> =>
  db
    .selectFrom('messages as m')
    .innerJoin('message_threads as t', 't.id', 'm.thread_id')
    .select([
      'm.id',
      'm.n',
      'm.sender_id as senderId',
      't.buyer_id as buyerId',
      'm.body',
      'm.at',
      sql<boolean>`m.forgotten_at IS NOT NULL`.as('isForgotten'),
      sql<boolean>`m.hidden_at IS NOT NULL`.as('isHidden'),
    ])
    .$if('threadId' in of, (one) => one.where('t.id', '=', 'threadId' in of ? of.threadId : ''))
    .$if('orderId' in of, (one) => one.where('t.order_id', '=', 'orderId' in of ? of.orderId : ''))
    .$if(page.below !== undefined, (rest) => rest.where('m.n', '<', page.below ?? ''))
    .orderBy('m.n', 'desc')
    .limit(page.limit)
    .execute();

/** Puts a message out of everybody's sight, or into it again. */
export const setHidden = async (trx: Trx, id: string, isHidden: boolean): Promise<void> => {
  await trx
    .updateTable('messages')
    .set({ hidden_at: isHidden ? SHOP_NOW : null })
    .where('id', '=', id)
    .execute();
};

/** What somebody wrote, the newest first, after a position. */
export const listMessagesToExport = (db: Db, senderId: string, page: { limit: number; after: Position | undefined }) =>
  db
    .selectFrom('messages as m')
    .innerJoin('message_threads as t', 't.id', 'm.thread_id')
    .select([
      'm.id',
      't.order_id as order',
      't.listing_id as listing',
      'm.body as text',
      sql<string[]>`ARRAY(SELECT p.photo_id FROM message_photos AS p WHERE p.message_id = m.id ORDER BY p.position)`.as(
        'photos',
      ),
      sql<string>`to_char(m.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`.as('at'),
    ])
    .where('m.sender_id', '=', senderId)
    .$if(page.after !== undefined, (rest) =>
      rest.where(sql<SqlBool>`(m.at, m.id) < (${page.after?.at ?? ''}::timestamptz, ${page.after?.id ?? ''}::uuid)`),
    )
    .orderBy('m.at', 'desc')
    .orderBy('m.id', 'desc')
    .limit(page.limit)
    .execute();

/** Nobody may ask any more for what was written: of an order `days` after its end, of a copy after it was written. */
const isOld = (days: number) =>
  sql<SqlBool>`coalesce((SELECT o.closed_at FROM orders AS o WHERE o.id = t.order_id),
    CASE WHEN t.order_id IS NULL THEN m.at END) < ${SHOP_NOW} - make_interval(days => ${days}::integer)`;

/**
 * Takes the words out of up to `limit` messages that are older than `days`, of one who left or of everybody; answers
 * which they were.
 */
export const forgetMessageWords = async (
  trx: Trx,
  { senderId, days, limit }: { senderId: string | undefined; days: number; limit: number },
): Promise<string[]> => {
  const whose = senderId === undefined ? sql`TRUE` : sql`m.sender_id = ${senderId}`;
  const { rows } = await sql<{ id: string }>`
    UPDATE messages SET body = '', forgotten_at = ${SHOP_NOW} WHERE id IN (
      SELECT m.id FROM messages AS m JOIN message_threads AS t ON t.id = m.thread_id
      WHERE ${whose} AND m.forgotten_at IS NULL AND m.at < ${SHOP_NOW} - make_interval(days => ${days}::integer)
        AND ${isOld(days)} ORDER BY m.at, m.id LIMIT ${limit} FOR UPDATE OF m SKIP LOCKED)
    RETURNING id`.execute(trx);
  return rows.map(({ id }) => id);
};
