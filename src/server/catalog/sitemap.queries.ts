import { sql } from 'kysely';
import type { Position } from '#server/platform/cursor.ts';
import type { Db } from '#server/platform/postgres/db.ts';

/** Before every copy. */
export const BEGINNING: Position = { at: '-infinity', id: '00000000-0000-0000-0000-000000000000' };

/** Copies that follow each other in the order of listing: the places of the first and last, and the latest change. */
interface SitemapRun {
  readonly first: Position;
  readonly last: Position;
  readonly changedAt: string;
}

const positionOf = (row: string) => sql`json_build_object('id', ${sql.ref(`${row}.id`)}, 'at',
  to_char(${sql.ref(`${row}.published_at`)} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))`;
const secondsOf = (time: string) =>
  sql`to_char(${sql.ref(time)} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS "changedAt"`;

/** The copies on the shelf after `after`, at most `length`, oldest first; undefined where there are none. */
export const findSitemapRun = async (db: Db, after: Position, length: number): Promise<SitemapRun | undefined> => {
  const { rows } = await sql<SitemapRun>`
    WITH run AS MATERIALIZED (
      SELECT published_at, id, updated_at FROM listings
      WHERE on_shelf AND (published_at, id) > (${after.at}::timestamptz, ${after.id}::uuid)
      ORDER BY published_at, id LIMIT ${length}
    )
    SELECT ${positionOf('first')} AS first, ${positionOf('last')} AS last, ${secondsOf('changed.at')}
    FROM (SELECT * FROM run ORDER BY published_at, id LIMIT 1) AS first,
         (SELECT * FROM run ORDER BY published_at DESC, id DESC LIMIT 1) AS last,
         (SELECT max(updated_at) AS at FROM run) AS changed`.execute(db);
  return rows[0];
};

/** At most `limit` copies on the shelf from `from` on, that one included, oldest first. */
export const listSitemapRows = async (
  db: Db,
  from: Position,
  limit: number,
): Promise<{ id: string; changedAt: string }[]> => {
  const { rows } = await sql<{ id: string; changedAt: string }>`
    SELECT id, ${secondsOf('updated_at')} FROM listings
    WHERE on_shelf AND (published_at, id) >= (${from.at}::timestamptz, ${from.id}::uuid)
    ORDER BY published_at, id LIMIT ${limit}`.execute(db);
  return rows;
};

/** Copies on the shelf, oldest first: `length` of them, after the first `skipped` from `from` on. */
interface Run {
  readonly from: Position;
  readonly length: number;
  readonly skipped?: number;
}

const runOf = ({ from, length, skipped = 0 }: Run) => sql`
  WITH run AS MATERIALIZED (
    SELECT isbn13, authors FROM listings WHERE on_shelf AND (published_at, id) >= (${from.at}::timestamptz, ${from.id}::uuid)
    ORDER BY published_at, id LIMIT ${length} OFFSET ${skipped}
  )`;
const isBefore = ({ at, id }: Position) => sql`(l.published_at, l.id) < (${at}::timestamptz, ${id}::uuid)`;

/** The ISBNs of those copies of which no copy on the shelf is older than `from`: each is in one part alone. */
export const listNewEditions = async (db: Db, run: Run): Promise<string[]> => {
  const { rows } = await sql<{ isbn13: string }>`${runOf(run)}
    SELECT isbn13 FROM (SELECT DISTINCT isbn13 FROM run WHERE isbn13 <> '') AS named
    WHERE NOT EXISTS (SELECT FROM listings AS l WHERE l.on_shelf AND l.isbn13 <> '' AND l.isbn13 = named.isbn13
      AND ${isBefore(run.from)})
    ORDER BY isbn13`.execute(db);
  return rows.map(({ isbn13 }) => isbn13);
};

/** The same of their authors, by the slugs of their pages. */
export const listNewAuthors = async (db: Db, run: Run): Promise<string[]> => {
  const { rows } = await sql<{ slug: string }>`${runOf(run)}
    SELECT slug FROM (SELECT DISTINCT slug FROM (SELECT DISTINCT authors FROM run) AS texts,
      unnest(author_slugs(texts.authors)) AS slug) AS named
    WHERE NOT EXISTS (SELECT FROM listings AS l WHERE l.on_shelf AND author_slugs(l.authors) @> ARRAY[named.slug]
      AND ${isBefore(run.from)})
    ORDER BY slug`.execute(db);
  return rows.map(({ slug }) => slug);
};

/** What the pages of sellers who have copies on the shelf are called. */
export const listSellerSlugs = async (db: Db, limit: number): Promise<string[]> => {
  const { rows } = await sql<{ slug: string }>`
    SELECT u.seller_slug AS slug FROM users AS u WHERE u.seller_slug IS NOT NULL AND u.deleted_at IS NULL
      AND EXISTS (SELECT FROM listings AS l WHERE l.seller_id = u.id AND l.on_shelf)
    ORDER BY u.seller_slug LIMIT ${limit}`.execute(db);
  return rows.map(({ slug }) => slug);
};
