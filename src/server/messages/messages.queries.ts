import { sql, type SqlBool } from 'kysely';
import type { Position } from '#server/platform/cursor.ts';
import { SHOP_NOW } from '#server/platform/postgres/clock.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';

/** What a thread is about, and who writes in it. */
export interface Thread {
  readonly orderId: string;
  readonly buyerId: string;
  readonly sellerId: string;
}

/** The thread of an order, made by the first who writes; of several at once one makes it. */
export const openThread = async (trx: Trx, { orderId, buyerId, sellerId }: Thread): Promise<string> => {
  await trx
    .insertInto('message_threads')
    .values({ order_id: orderId, buyer_id: buyerId, seller_id: sellerId })
    .onConflict((conflict) => conflict.column('order_id').doNothing())
    .execute();
  const { id } = await trx
    .selectFrom('message_threads')
    .select('id')
    .where('order_id', '=', orderId)
    .executeTakeFirstOrThrow();
  return id;
};

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
  readonly body: string;
  readonly at: Date;
}

/** Messages of the thread of an order, the newest first, below a number. */
export const listMessageRows = (
  db: Db,
  orderId: string,
  page: { limit: number; below: string | undefined },
): Promise<MessageRow[]> =>
  db
    .selectFrom('messages as m')
    .innerJoin('message_threads as t', 't.id', 'm.thread_id')
    .select(['m.id', 'm.n', 'm.sender_id as senderId', 'm.body', 'm.at'])
    .where('t.order_id', '=', orderId)
    .$if(page.below !== undefined, (rest) => rest.where('m.n', '<', page.below ?? ''))
    .orderBy('m.n', 'desc')
    .limit(page.limit)
    .execute();

/** What somebody wrote, the newest first, after a position. */
export const listMessagesToExport = (db: Db, senderId: string, page: { limit: number; after: Position | undefined }) =>
  db
    .selectFrom('messages as m')
    .innerJoin('message_threads as t', 't.id', 'm.thread_id')
    .select([
      'm.id',
      't.order_id as order',
      'm.body as text',
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

/** Takes the words out of what somebody wrote about orders that ended more than `days` ago. */
export const forgetMessages = async (db: Db, senderId: string, days: number): Promise<void> => {
  await sql`UPDATE messages AS m SET body = '', forgotten_at = ${SHOP_NOW}
    FROM message_threads AS t JOIN orders AS o ON o.id = t.order_id
    WHERE t.id = m.thread_id AND m.sender_id = ${senderId} AND m.forgotten_at IS NULL
      AND o.closed_at < ${SHOP_NOW} - make_interval(days => ${days}::integer)`.execute(db);
};
