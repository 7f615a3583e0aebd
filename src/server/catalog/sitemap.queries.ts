import { sql } from 'kysely';
import type { Position } from '#server/platform/cursor.ts';
import type { Db } from '#server/platform/postgres/db.ts';

/** A copy on the shelf and when it last changed; `at` and `id` are its place in the order of listing. */
export interface SitemapRow extends Position {
  readonly changedAt: string;
}

/** A run of copies: where it begins, and its latest change. */
export interface SitemapRun {
  readonly at: string;
  readonly id: string;
  readonly changedAt: string;
}

const MICROSECONDS = sql.lit('YYYY-MM-DD"T"HH24:MI:SS.US"Z"');
const SECONDS = sql.lit('YYYY-MM-DD"T"HH24:MI:SS"Z"');

/** The copies on the shelf from `after` on, at most `length`, oldest first; undefined where there are none. */
const readSitemapRun = async (
  db: Db,
  after: Position | undefined,
  length: number,
): Promise<(SitemapRun & { last: Position }) | undefined> => {
  const beyond =
    after === undefined
      ? sql`on_shelf`
      : sql`on_shelf AND (published_at, id) > (${after.at}::timestamptz, ${after.id}::uuid)`;
  const { rows } = await sql<SitemapRun & { lastAt: string; lastId: string }>`
    WITH run AS MATERIALIZED (
      SELECT published_at, id, updated_at FROM listings WHERE ${beyond} ORDER BY published_at, id LIMIT ${length}
    )
    SELECT to_char(first.published_at AT TIME ZONE 'UTC', ${MICROSECONDS}) AS at, first.id,
           to_char(last.published_at AT TIME ZONE 'UTC', ${MICROSECONDS}) AS "lastAt", last.id AS "lastId",
           to_char((SELECT max(updated_at) FROM run) AT TIME ZONE 'UTC', ${SECONDS}) AS "changedAt"
    FROM (SELECT * FROM run ORDER BY published_at, id LIMIT 1) AS first,
         (SELECT * FROM run ORDER BY published_at DESC, id DESC LIMIT 1) AS last`.execute(db);
  const [row] = rows;
  if (row === undefined) return undefined;
  const { at, id, changedAt, lastAt, lastId } = row;
  return { at, id, changedAt, last: { at: lastAt, id: lastId } };
};

/**
 * Copies on the shelf in runs of `length`, oldest first: what is listed later only ever adds to the end. Each run is a
 * statement of its own, so that however many there are none takes too long.
 */
export const listSitemapRuns = async (db: Db, length: number): Promise<SitemapRun[]> => {
  const runs: SitemapRun[] = [];
  let run = await readSitemapRun(db, undefined, length);
  while (run !== undefined) {
    const { last, ...begins } = run;
    runs.push(begins);
    run = await readSitemapRun(db, last, length);
  }
  return runs;
};

/** At most `limit` copies on the shelf from `from` on (that one included) or after `after`, oldest first. */
export const listSitemapRows = async (
  db: Db,
  start: { from: Position } | { after: Position },
  limit: number,
): Promise<SitemapRow[]> => {
  const [comparison, { at, id }] = 'from' in start ? [sql`>=`, start.from] : [sql`>`, start.after];
  const { rows } = await sql<SitemapRow>`
    SELECT id, to_char(published_at AT TIME ZONE 'UTC', ${MICROSECONDS}) AS at,
           to_char(updated_at AT TIME ZONE 'UTC', ${SECONDS}) AS "changedAt"
    FROM listings
    WHERE on_shelf AND (published_at, id) ${comparison} (${at}::timestamptz, ${id}::uuid)
    ORDER BY published_at, id
    LIMIT ${limit}`.execute(db);
  return rows;
};
