import { sql } from 'kysely';
import type { Position } from '#server/platform/cursor.ts';
import type { Db } from '#server/platform/db.ts';

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

/** Copies on the shelf in runs of `length`, oldest first: what is listed later only ever adds to the end. */
export const listSitemapRuns = async (db: Db, length: number): Promise<SitemapRun[]> => {
  const { rows } = await sql<SitemapRun>`
    SELECT to_char(min(published_at) AT TIME ZONE 'UTC', ${MICROSECONDS}) AS at,
           min(id::text) FILTER (WHERE place % ${sql.lit(length)} = 0) AS id,
           to_char(max(updated_at) AT TIME ZONE 'UTC', ${SECONDS}) AS "changedAt"
    FROM (SELECT id, published_at, updated_at, row_number() OVER (ORDER BY published_at, id) - 1 AS place
          FROM listings WHERE on_shelf) AS placed
    GROUP BY place / ${sql.lit(length)}
    ORDER BY place / ${sql.lit(length)}`.execute(db);
  return rows;
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
