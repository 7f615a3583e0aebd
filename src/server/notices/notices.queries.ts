import { sql } from 'kysely';
import { SHOP_NOW } from '#server/platform/postgres/clock.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';
import { prepared, query } from '#server/platform/postgres/query.ts';

export interface NewNotice {
  readonly email: string;
  readonly key: string;
  readonly topic: string;
  readonly title: string;
  readonly path: string;
}

const INSERT_NOTICE = prepared(
  'insert_notice',
  `INSERT INTO notices (user_id, key, topic, title, path)
  SELECT id, $2, $3, $4, $5 FROM users WHERE lower(email) = lower($1) AND deleted_at IS NULL
  ON CONFLICT (user_id, key) DO NOTHING`,
);

/** Writes a notice for whoever has the address; the same key again does nothing. */
export const insertNotice = async (trx: Trx, { email, key, topic, title, path }: NewNotice): Promise<void> => {
  await query(trx, INSERT_NOTICE, [email, key, topic, title, path]);
};

export interface NoticeRow {
  readonly id: string;
  readonly topic: string;
  readonly title: string;
  readonly path: string;
  readonly at: Date;
  readonly readAt: Date | null;
}

/** Notices of a user, the newest first, below a number. */
export const listNoticeRows = (
  db: Db,
  userId: string,
  page: { limit: number; below: string | undefined },
): Promise<NoticeRow[]> =>
  db
    .selectFrom('notices')
    .select(['id', 'topic', 'title', 'path', 'at', 'read_at as readAt'])
    .where('user_id', '=', userId)
    .$if(page.below !== undefined, (rest) => rest.where('id', '<', page.below ?? ''))
    .orderBy('id', 'desc')
    .limit(page.limit)
    .execute();

/** How many are new, at most `most`. */
export const countUnread = async (db: Db, userId: string, most: number): Promise<number> => {
  const { rows } = await sql<{ unread: number }>`
    SELECT count(*)::int AS unread FROM (
      SELECT FROM notices WHERE user_id = ${userId} AND read_at IS NULL LIMIT ${most}) AS counted`.execute(db);
  return rows[0]?.unread ?? 0;
};

/** Marks what a user has seen, up to and with a number; answers how many were new. */
export const markRead = async (db: Db, userId: string, upTo: string): Promise<number> => {
  const { numUpdatedRows } = await db
    .updateTable('notices')
    .set({ read_at: sql<Date>`${SHOP_NOW}` })
    .where('user_id', '=', userId)
    .where('read_at', 'is', null)
    .where('id', '<=', upTo)
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
};

/** Topics of whoever a user or a token of a mail's link belongs to; undefined where it is nobody's. */
export const findChoices = async (
  db: Db,
  of: { userId: string } | { token: string },
): Promise<readonly string[] | undefined> => {
  const row = await db
    .selectFrom('mail_choices as c')
    .innerJoin('users as u', 'u.id', 'c.user_id')
    .select('c.not_mailed as notMailed')
    .where('u.deleted_at', 'is', null)
    .$if('userId' in of, (one) => one.where('c.user_id', '=', 'userId' in of ? of.userId : ''))
    .$if('token' in of, (one) => one.where('c.token', '=', 'token' in of ? of.token : ''))
    .executeTakeFirst();
  return row?.notMailed;
};

/** Writes down what a user wants to have mailed; answers 1 where that is something else than before. */
export const writeChoices = async (db: Db, userId: string, notMailed: readonly string[]): Promise<number> => {
  const { rows } = await sql`
    INSERT INTO mail_choices (user_id, not_mailed) VALUES (${userId}, ${[...notMailed]}::text[])
    ON CONFLICT (user_id) DO UPDATE SET not_mailed = excluded.not_mailed
      WHERE mail_choices.not_mailed <> excluded.not_mailed
    RETURNING 1`.execute(db);
  return rows.length;
};

/** As `writeChoices`, for whoever the token of a mail's link belongs to; undefined where it is nobody's. */
export const writeChoicesByToken = async (
  db: Db,
  token: string,
  notMailed: readonly string[],
): Promise<number | undefined> => {
  const { rows } = await sql<{ changed: boolean }>`
    WITH before AS (
      SELECT c.user_id, c.not_mailed FROM mail_choices AS c JOIN users AS u ON u.id = c.user_id
      WHERE c.token = ${token} AND u.deleted_at IS NULL FOR UPDATE OF c
    )
    UPDATE mail_choices AS c SET not_mailed = ${[...notMailed]}::text[] FROM before WHERE c.user_id = before.user_id
    RETURNING before.not_mailed <> c.not_mailed AS changed`.execute(db);
  const [row] = rows;
  return row === undefined ? undefined : Number(row.changed);
};

/** Ends the mails of one topic; undefined where the token is nobody's. */
export const addChoiceByToken = async (db: Db, token: string, topic: string): Promise<number | undefined> => {
  const { rows } = await sql<{ changed: boolean }>`
    WITH before AS (
      SELECT c.user_id, c.not_mailed FROM mail_choices AS c JOIN users AS u ON u.id = c.user_id
      WHERE c.token = ${token} AND u.deleted_at IS NULL FOR UPDATE OF c
    )
    UPDATE mail_choices AS c SET not_mailed = array_append(array_remove(c.not_mailed, ${topic}), ${topic})
    FROM before WHERE c.user_id = before.user_id
    RETURNING NOT before.not_mailed @> ARRAY[${topic}]::text[] AS changed`.execute(db);
  const [row] = rows;
  return row === undefined ? undefined : Number(row.changed);
};

/** The token of the links in mails to an address, made when it is first needed; undefined where nobody has it. */
export const takeToken = async (db: Db, email: string): Promise<string | undefined> => {
  const { rows } = await sql<{ token: string }>`
    INSERT INTO mail_choices (user_id) SELECT id FROM users WHERE lower(email) = lower(${email}) AND deleted_at IS NULL
    ON CONFLICT (user_id) DO UPDATE SET user_id = excluded.user_id
    RETURNING token`.execute(db);
  return rows[0]?.token;
};

/** Drops what is older than so many days. */
export const forgetNoticesBefore = async (db: Db, days: number): Promise<void> => {
  await sql`DELETE FROM notices WHERE at < ${SHOP_NOW} - make_interval(days => ${days}::integer)`.execute(db);
};

/** Drops all of a user's, and what they chose. */
export const deleteNoticesOf = async (trx: Trx, userId: string): Promise<void> => {
  await trx.deleteFrom('notices').where('user_id', '=', userId).execute();
  await trx.deleteFrom('mail_choices').where('user_id', '=', userId).execute();
};
