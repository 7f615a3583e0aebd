import { sql } from 'kysely';
import { SHOP_NOW } from '#server/platform/postgres/clock.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';

export type ThreadSide = 'buyer' | 'seller';

/** The thread of an order, made by the first who writes; of several at once one makes it. */
export const openOrderThread = async (
  trx: Trx,
  { orderId, buyerId, sellerId }: { orderId: string; buyerId: string; sellerId: string },
): Promise<string> => {
  await sql`INSERT INTO message_threads (order_id, buyer_id, seller_id, listing_id)
    VALUES (${orderId}, ${buyerId}, ${sellerId},
      (SELECT listing_id FROM bookings WHERE order_id = ${orderId} ORDER BY created_at, id LIMIT 1))
    ON CONFLICT (order_id) DO NOTHING`.execute(trx);
  const { id } = await trx
    .selectFrom('message_threads')
    .select('id')
    .where('order_id', '=', orderId)
    .executeTakeFirstOrThrow();
  return id;
};

/** The thread of a copy and one who asks for it, made where there is none; undefined where it is an order's by now. */
export const openThread = async (
  trx: Trx,
  { listingId, buyerId, sellerId }: { listingId: string; buyerId: string; sellerId: string },
): Promise<string | undefined> => {
  await sql`INSERT INTO message_threads (listing_id, buyer_id, seller_id)
    VALUES (${listingId}, ${buyerId}, ${sellerId})
    ON CONFLICT (listing_id, buyer_id) WHERE order_id IS NULL AND continued_in IS NULL DO NOTHING`.execute(trx);
  const row = await trx
    .selectFrom('message_threads')
    .select('id')
    .where('listing_id', '=', listingId)
    .where('buyer_id', '=', buyerId)
    .where('order_id', 'is', null)
    .where('continued_in', 'is', null)
    .forUpdate()
    .executeTakeFirst();
  return row?.id;
};

/** Whether a copy can be asked about: while it is paused, only by whoever did before. */
export type CopyState = 'for sale' | 'paused' | 'gone';

const COPY = `CASE WHEN l.status IN ('available', 'held') THEN 'for sale' WHEN l.status = 'paused' THEN 'paused' ELSE 'gone' END`;

/** A thread as one of its two sides sees it; `other` is whoever is at the other side. */
export interface ThreadRow {
  readonly id: string;
  readonly side: ThreadSide;
  readonly orderId: string | null;
  readonly listingId: string | null;
  readonly otherId: string;
  readonly other: string;
  readonly isOtherThere: boolean;
  readonly sellerSlug: string;
  readonly titles: readonly string[];
  readonly imageUrl: string;
  readonly copy: CopyState;
  readonly orderClosedAt: Date | null;
  readonly isMuted: boolean;
  readonly isBlocked: boolean;
  readonly isBlockedByOther: boolean;
  readonly lastN: string;
  readonly lastText: string;
  readonly lastBy: ThreadSide;
  readonly at: Date;
  readonly isUnread: boolean;
  readonly now: Date;
}

/** Something is new to the side whose mark is `read`: the other has written since. */
const unread = (me: string, read: string): string =>
  `t.last_n > t.${read} AND EXISTS (SELECT FROM messages AS u
    WHERE u.thread_id = t.id AND u.n > t.${read} AND u.sender_id <> t.${me})`;

const columns = (side: ThreadSide): string => {
  const [me, other] = side === 'buyer' ? ['buyer_id', 'seller_id'] : ['seller_id', 'buyer_id'];
  return `t.id, '${side}' AS side, t.order_id AS "orderId", t.listing_id AS "listingId", t.${other} AS "otherId",
    o.name AS other, o.deleted_at IS NULL AS "isOtherThere",
    coalesce((SELECT s.seller_slug FROM users AS s WHERE s.id = t.seller_id), '') AS "sellerSlug",
    CASE WHEN t.order_id IS NULL THEN ARRAY[coalesce(l.title, '')]
      ELSE ARRAY(SELECT b.title FROM bookings AS b WHERE b.order_id = t.order_id ORDER BY b.created_at, b.id) END AS titles,
    coalesce(picture_address(l.image_url), '') AS "imageUrl", ${COPY} AS copy,
    (SELECT d.closed_at FROM orders AS d WHERE d.id = t.order_id) AS "orderClosedAt",
    t.${side}_muted AS "isMuted",
    EXISTS (SELECT FROM message_blocks AS k WHERE k.blocker_id = t.${me} AND k.blocked_id = t.${other}) AS "isBlocked",
    EXISTS (SELECT FROM message_blocks AS k WHERE k.blocker_id = t.${other} AND k.blocked_id = t.${me}) AS "isBlockedByOther",
    t.last_n::text AS "lastN", CASE WHEN m.hidden_at IS NULL THEN m.body ELSE '' END AS "lastText",
    CASE WHEN m.sender_id = t.buyer_id THEN 'buyer' ELSE 'seller' END AS "lastBy", m.at,
    ${unread(me, `${side}_read`)} AS "isUnread"`;
};

const tables = (side: ThreadSide): string =>
  `message_threads AS t JOIN users AS o ON o.id = t.${side === 'buyer' ? 'seller_id' : 'buyer_id'}
    JOIN messages AS m ON m.thread_id = t.id AND m.n = t.last_n LEFT JOIN listings AS l ON l.id = t.listing_id`;

/** Threads of both sides, each side's by its index, the last written in first. */
export const listThreadRows = async (
  db: Db,
  userId: string,
  page: { limit: number; below: string | undefined; listingId: string | undefined },
): Promise<ThreadRow[]> => {
  const below = page.below === undefined ? sql`` : sql`AND t.last_n < ${page.below}`;
  const about = page.listingId === undefined ? sql`` : sql`AND t.listing_id = ${page.listingId}`;
  const of = (side: ThreadSide) => sql`(SELECT ${sql.raw(columns(side))}, t.last_n, ${SHOP_NOW} AS now
    FROM ${sql.raw(tables(side))} WHERE t.${sql.raw(side)}_id = ${userId} AND t.continued_in IS NULL ${below} ${about}
    ORDER BY t.last_n DESC LIMIT ${page.limit})`;
  const { rows } = await sql<ThreadRow>`SELECT * FROM (${of('buyer')} UNION ALL ${of('seller')}) AS threads
    ORDER BY last_n DESC LIMIT ${page.limit}`.execute(db);
  return rows;
};

/** A thread of this user, or the one in which it goes on. */
export const findThread = async (db: Db, id: string, userId: string): Promise<ThreadRow | undefined> => {
  const of = (
    side: ThreadSide,
  ) => sql`SELECT ${sql.raw(columns(side))}, ${SHOP_NOW} AS now FROM ${sql.raw(tables(side))}
    WHERE t.id = (SELECT coalesce(s.continued_in, s.id) FROM message_threads AS s WHERE s.id = ${id})
      AND t.${sql.raw(side)}_id = ${userId}`;
  const { rows } = await sql<ThreadRow>`${of('buyer')} UNION ALL ${of('seller')}`.execute(db);
  return rows[0];
};

/** Keeps a thread as it is until the transaction ends: it becomes no order's meanwhile. */
export const lockThread = async (trx: Trx, id: string): Promise<void> => {
  await trx.selectFrom('message_threads').select('id').where('id', '=', id).forUpdate().execute();
};

/** In how many threads something is new, muted ones left out, at most `most`. */
export const countUnreadRows = async (db: Db, userId: string, most: number): Promise<number> => {
  const of = (side: ThreadSide) =>
    sql.raw(`SELECT t.id FROM message_threads AS t
    WHERE t.${side}_id = `);
  const { rows } = await sql<{ unread: number }>`SELECT count(*)::int AS unread FROM (
      ${of('buyer')}${userId} AND NOT t.buyer_muted AND t.continued_in IS NULL AND ${sql.raw(unread('buyer_id', 'buyer_read'))}
      UNION ALL
      ${of('seller')}${userId} AND NOT t.seller_muted AND t.continued_in IS NULL AND ${sql.raw(unread('seller_id', 'seller_read'))}
      LIMIT ${most}) AS counted`.execute(db);
  return rows[0]?.unread ?? 0;
};

/** Moves a side's mark up to a message of the thread; answers 1 where it was before it. */
export const markReadUpTo = async (
  db: Db,
  { of, side, messageId }: { of: { threadId: string } | { orderId: string }; side: ThreadSide; messageId: string },
): Promise<number> => {
  const mark = sql.ref(`${side}_read`);
  const which = 'threadId' in of ? sql`t.id = ${of.threadId}` : sql`t.order_id = ${of.orderId}`;
  const { rows } = await sql`UPDATE message_threads AS t SET ${mark} = m.n FROM messages AS m
    WHERE ${which} AND m.thread_id = t.id AND m.id = ${messageId} AND t.${mark} < m.n RETURNING 1`.execute(db);
  return rows.length;
};

export const writeMuted = async (
  trx: Trx,
  { threadId, side, isMuted }: { threadId: string; side: ThreadSide; isMuted: boolean },
): Promise<number> => {
  const muted = sql.ref(`${side}_muted`);
  const { rows } = await sql`UPDATE message_threads AS t SET ${muted} = ${isMuted}
    WHERE t.id = ${threadId} AND t.${muted} <> ${isMuted} RETURNING 1`.execute(trx);
  return rows.length;
};

export const writeBlock = async (
  trx: Trx,
  { blockerId, blockedId, isBlocked }: { blockerId: string; blockedId: string; isBlocked: boolean },
): Promise<number> => {
  const { rows } = isBlocked
    ? await sql`INSERT INTO message_blocks (blocker_id, blocked_id) VALUES (${blockerId}, ${blockedId})
        ON CONFLICT DO NOTHING RETURNING 1`.execute(trx)
    : await sql`DELETE FROM message_blocks WHERE blocker_id = ${blockerId} AND blocked_id = ${blockedId}
        RETURNING 1`.execute(trx);
  return rows.length;
};

/** Whether either of two people takes no messages from the other. */
export const isBlockedBetween = async (db: Db, one: string, other: string): Promise<boolean> => {
  const { rows } = await sql`SELECT FROM message_blocks
    WHERE (blocker_id, blocked_id) IN ((${one}, ${other}), (${other}, ${one}))`.execute(db);
  return rows.length > 0;
};

/** Whom a message of a thread is told to; undefined once they left, and where they hear of it already. */
export const findToTell = async (
  trx: Trx,
  { threadId, to, messageId }: { threadId: string; to: ThreadSide; messageId: string },
): Promise<{ id: string; email: string; name: string } | undefined> => {
  const side = sql.raw(to);
  const { rows } = await sql<{ id: string; email: string; name: string }>`
    SELECT u.id, u.email, u.name FROM message_threads AS t JOIN users AS u ON u.id = t.${side}_id
    WHERE t.id = ${threadId} AND u.deleted_at IS NULL AND NOT t.${side}_muted AND NOT EXISTS (
      SELECT FROM messages AS m WHERE m.thread_id = t.id AND m.n > t.${side}_read AND m.sender_id <> u.id
        AND m.id <> ${messageId} AND m.at > ${SHOP_NOW} - interval '1 hour')`.execute(trx);
  return rows[0];
};

/** Whom somebody blocked, for the export. */
export const listBlocks = async (db: Db, userId: string): Promise<{ name: string; at: Date }[]> =>
  db
    .selectFrom('message_blocks as k')
    .innerJoin('users as u', 'u.id', 'k.blocked_id')
    .select(['u.name', 'k.at'])
    .where('k.blocker_id', '=', userId)
    .orderBy('k.at')
    .execute();

interface AskedCopy {
  readonly sellerId: string;
  readonly title: string;
  readonly copy: CopyState;
  readonly isWithdrawn: boolean;
  readonly isSellerThere: boolean;
}

/** The copy that somebody asks about. */
export const findAskedCopy = async (trx: Trx, listingId: string): Promise<AskedCopy | undefined> => {
  const { rows } = await sql<AskedCopy>`
    SELECT l.seller_id AS "sellerId", l.title, ${sql.raw(COPY)} AS copy,
      l.status = 'withdrawn' AS "isWithdrawn", u.deleted_at IS NULL AS "isSellerThere"
    FROM listings AS l JOIN users AS u ON u.id = l.seller_id WHERE l.id = ${listingId}`.execute(trx);
  return rows[0];
};
