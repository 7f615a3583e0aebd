import { sql, type SqlBool } from 'kysely';
import type { Position } from '#server/platform/cursor.ts';
import { SHOP_NOW } from '#server/platform/postgres/clock.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';

export type ReviewSide = 'buyer' | 'seller';

const ISO = `'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'`;
const isoOf = (column: string) => sql<string>`to_char(${sql.ref(column)} AT TIME ZONE 'UTC', ${sql.raw(ISO)})`;
/** The titles of the books of an order. */
const titles = sql<string[]>`ARRAY(SELECT title FROM bookings WHERE order_id = r.order_id ORDER BY created_at, id)`;
/** Who has left has no name. */
const authorName = sql<string>`CASE WHEN a.deleted_at IS NULL THEN a.name ELSE '' END`;

const COLUMNS = [
  'r.id',
  'r.order_id as orderId',
  'r.by',
  'r.author_id as authorId',
  'r.subject_id as subjectId',
  'r.stars',
  'r.as_described as asDescribed',
  'r.well_packed as wellPacked',
  'r.in_time as inTime',
  'r.words',
  'r.state',
  'r.written_at as writtenAt',
  'r.shown_at as shownAt',
  'r.reply',
  'r.is_reply_held as isReplyHeld',
] as const;

const reviews = (db: Db) =>
  db
    .selectFrom('reviews as r')
    .innerJoin('users as a', 'a.id', 'r.author_id')
    .select(COLUMNS)
    .select([authorName.as('author'), titles.as('titles')]);

export type ReviewRow = Awaited<ReturnType<typeof listOfOrder>>[number];

/** The one or two reviews of an order. */
export const listOfOrder = (db: Db, orderId: string) => reviews(db).where('r.order_id', '=', orderId).execute();

export const lockReview = (trx: Trx, id: string): Promise<ReviewRow | undefined> =>
  reviews(trx).where('r.id', '=', id).forUpdate('r').executeTakeFirst();

/** Reviews about somebody that everybody sees, the newest first, after a position. */
export const listAbout = (
  db: Db,
  subjectId: string,
  page: { limit: number; after: Position | undefined },
): Promise<(ReviewRow & Position)[]> =>
  reviews(db)
    .select(isoOf('r.shown_at').as('at'))
    .where('r.subject_id', '=', subjectId)
    .where('r.state', '=', 'open')
    .where('r.shown_at', 'is not', null)
    .$if(page.after !== undefined, (rest) =>
      rest.where(
        sql<SqlBool>`(r.shown_at, r.id) < (${page.after?.at ?? ''}::timestamptz, ${page.after?.id ?? ''}::uuid)`,
      ),
    )
    .orderBy('r.shown_at', 'desc')
    .orderBy('r.id', 'desc')
    .limit(page.limit)
    .execute();

/** How many reviews about somebody everybody sees, how many stars they have together, and what their facts say. */
export interface ReviewSums {
  readonly reviews: number;
  readonly stars: number;
  readonly asDescribed: number;
  readonly asDescribedSaid: number;
  readonly wellPacked: number;
  readonly wellPackedSaid: number;
  readonly inTime: number;
  readonly inTimeSaid: number;
}

export const sumAbout = async (db: Db, subjectId: string): Promise<ReviewSums | undefined> => {
  const { rows } = await sql<ReviewSums>`
    SELECT count(*)::integer AS reviews, coalesce(sum(stars), 0)::integer AS stars,
      count(*) FILTER (WHERE as_described)::integer AS "asDescribed", count(as_described)::integer AS "asDescribedSaid",
      count(*) FILTER (WHERE well_packed)::integer AS "wellPacked", count(well_packed)::integer AS "wellPackedSaid",
      count(*) FILTER (WHERE in_time)::integer AS "inTime", count(in_time)::integer AS "inTimeSaid"
    FROM reviews WHERE subject_id = ${subjectId} AND state = 'open' AND shown_at IS NOT NULL`.execute(db);
  return rows[0];
};

export interface NewReview {
  readonly orderId: string;
  readonly by: ReviewSide;
  readonly authorId: string;
  readonly subjectId: string;
  readonly stars: number;
  readonly asDescribed: boolean | null;
  readonly wellPacked: boolean | null;
  readonly inTime: boolean | null;
  readonly words: string;
  readonly state: 'open' | 'held';
}

/** Writes a review, or what it says from now on; its time stays that of the first. */
export const upsertReview = async (trx: Trx, review: NewReview): Promise<string> => {
  const said = {
    stars: review.stars,
    as_described: review.asDescribed,
    well_packed: review.wellPacked,
    in_time: review.inTime,
    words: review.words,
    state: review.state,
  };
  const { id } = await trx
    .insertInto('reviews')
    .values({
      order_id: review.orderId,
      by: review.by,
      author_id: review.authorId,
      subject_id: review.subjectId,
      ...said,
      shown_at: null,
      replied_at: null,
    })
    .onConflict((conflict) => conflict.columns(['order_id', 'by']).doUpdateSet(said))
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
};

/** A review that may be shown now: its other side has written, or has had its time. */
const isDue = (days: number) => sql<SqlBool>`r.state = 'open' AND r.shown_at IS NULL
  AND (r.written_at <= ${SHOP_NOW} - make_interval(days => ${days}::integer)
    OR EXISTS (SELECT FROM reviews AS o WHERE o.order_id = r.order_id AND o.by <> r.by))`;

/** Shows what may be shown, of one order or of all; answers the reviews. */
export const showDue = async (
  trx: Trx,
  { orderId, days, limit }: { orderId?: string; days: number; limit: number },
): Promise<{ id: string; orderId: string; by: ReviewSide }[]> => {
  const { rows } = await sql<{ id: string; orderId: string; by: ReviewSide }>`
    UPDATE reviews SET shown_at = ${SHOP_NOW} WHERE id IN (
      SELECT r.id FROM reviews AS r WHERE ${isDue(days)} AND r.order_id = coalesce(${orderId ?? null}::uuid, r.order_id)
      ORDER BY r.written_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)
    RETURNING id, order_id AS "orderId", by`.execute(trx);
  return rows;
};

export const writeReply = async (trx: Trx, id: string, reply: string, isHeld: boolean): Promise<void> => {
  await trx
    .updateTable('reviews')
    .set({ reply, replied_at: sql<Date>`${SHOP_NOW}`, is_reply_held: isHeld })
    .where('id', '=', id)
    .execute();
};

export const setReviewState = async (trx: Trx, id: string, state: 'open' | 'removed'): Promise<void> => {
  await trx.updateTable('reviews').set({ state }).where('id', '=', id).execute();
};

/** Lets a held reply be seen, or takes its words away for good. */
export const endHeldReply = async (trx: Trx, id: string, isAllowed: boolean): Promise<void> => {
  await trx
    .updateTable('reviews')
    .set({ is_reply_held: false, ...(!isAllowed && { reply: '' }) })
    .where('id', '=', id)
    .execute();
};

/** Reviews and replies that wait for an admin, the oldest first, after a position. */
export const listHeld = async (db: Db, page: { limit: number; after: Position | undefined }) => {
  const { rows } = await sql<{
    id: string;
    what: 'review' | 'reply';
    orderId: string;
    author: string;
    about: string;
    stars: number;
    text: string;
    at: string;
  }>`
    SELECT r.id, CASE WHEN r.state = 'held' THEN 'review' ELSE 'reply' END AS what, r.order_id AS "orderId",
      CASE WHEN r.state = 'held' THEN a.name ELSE s.name END AS author,
      CASE WHEN r.state = 'held' THEN s.name ELSE a.name END AS about,
      r.stars, CASE WHEN r.state = 'held' THEN r.words ELSE r.reply END AS text,
      to_char(r.written_at AT TIME ZONE 'UTC', ${sql.raw(ISO)}) AS at
    FROM reviews AS r JOIN users AS a ON a.id = r.author_id JOIN users AS s ON s.id = r.subject_id
    WHERE (r.state = 'held' OR r.is_reply_held)
      AND (r.written_at, r.id) > (coalesce(${page.after?.at ?? null}::timestamptz, '-infinity'),
        coalesce(${page.after?.id ?? null}::uuid, '00000000-0000-0000-0000-000000000000'))
    ORDER BY r.written_at, r.id LIMIT ${page.limit}`.execute(db);
  return rows;
};

/** Reviews that somebody wrote, or that are about them and shown, the newest first, after a position. */
export const listToExport = (
  db: Db,
  of: { authorId: string } | { subjectId: string },
  page: { limit: number; after: Position | undefined },
) =>
  db
    .selectFrom('reviews as r')
    .select([
      'r.id',
      'r.order_id as order',
      'r.by',
      'r.stars',
      'r.as_described',
      'r.well_packed',
      'r.in_time',
      'r.words',
      'r.state',
      'r.shown_at',
      'r.reply',
      'r.replied_at',
      isoOf('r.written_at').as('at'),
    ])
    .$if('authorId' in of, (some) => some.where('r.author_id', '=', 'authorId' in of ? of.authorId : ''))
    .$if('subjectId' in of, (some) =>
      some.where('r.subject_id', '=', 'subjectId' in of ? of.subjectId : '').where('r.shown_at', 'is not', null),
    )
    .$if(page.after !== undefined, (rest) =>
      rest.where(
        sql<SqlBool>`(r.written_at, r.id) < (${page.after?.at ?? ''}::timestamptz, ${page.after?.id ?? ''}::uuid)`,
      ),
    )
    .orderBy('r.written_at', 'desc')
    .orderBy('r.id', 'desc')
    .limit(page.limit)
    .execute();
