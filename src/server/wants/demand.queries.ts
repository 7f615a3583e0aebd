import { sql } from 'kysely';
import type { Db } from '#server/platform/postgres/db.ts';

/** Readers who want a book, by its ISBN or its title, and the most that one of them pays. */
export const countReaders = async (
  db: Db,
  { isbn13, title, but }: { isbn13: string; title: string; but: string },
): Promise<{ readers: number; most: number | null }> => {
  const { rows } = await sql<{ readers: number; most: number | null }>`
    SELECT count(DISTINCT user_id)::integer AS readers, max(max_cents) / 100.0::float8 AS most FROM (
      SELECT user_id, max_cents FROM wants
      WHERE state = 'active' AND isbn13 = ${isbn13} AND isbn13 <> ''
      UNION ALL
      SELECT user_id, max_cents FROM wants
      WHERE state = 'active' AND title_key IS NOT NULL AND title_key = ANY (title_keys(${title}))) AS w
    WHERE user_id <> ${but}`.execute(db);
  return rows[0] ?? { readers: 0, most: null };
};

/** Of so many times as many it is asked whether somebody sells them. */
const LOOKED_AT = 3;

/** Books that so many readers want and of which no copy is on the shelf, those that most want first. */
export const listUnfilled = async (
  db: Db,
  { least, limit }: { least: number; limit: number },
): Promise<{ isbn13: string; title: string; author: string; readers: number; most: number | null }[]> => {
  const { rows } = await sql<{ isbn13: string; title: string; author: string; readers: number; most: number | null }>`
    WITH wanted AS (
      SELECT isbn13, title_key, max(title) AS title, max(author) AS author, count(DISTINCT user_id)::integer AS readers,
        max(max_cents) / 100.0::float8 AS most
      FROM wants WHERE state = 'active' GROUP BY isbn13, title_key HAVING count(DISTINCT user_id) >= ${least}
      ORDER BY readers DESC, title LIMIT ${limit * LOOKED_AT}
    )
    SELECT isbn13, title, author, readers, most FROM wanted AS w
    WHERE NOT EXISTS (SELECT FROM listings AS l WHERE l.isbn13 = w.isbn13 AND w.isbn13 <> '' AND l.on_shelf)
      AND NOT EXISTS (SELECT FROM listings AS l
        WHERE l.on_shelf AND l.title_words @@ plainto_tsquery('simple', w.title_key)
          AND w.title_key = ANY (title_keys(l.title)))
    ORDER BY readers DESC, title LIMIT ${limit}`.execute(db);
  return rows;
};

export const findFirstRefusal = async (db: Db, userId: string): Promise<boolean> => {
  const row = await db.selectFrom('users').select('first_refusal').where('id', '=', userId).executeTakeFirstOrThrow();
  return row.first_refusal;
};

export const writeFirstRefusal = async (db: Db, userId: string, on: boolean): Promise<void> => {
  await db.updateTable('users').set({ first_refusal: on }).where('id', '=', userId).execute();
};
