import { sql } from 'kysely';
import type { Db } from '#server/platform/postgres/db.ts';
import { query } from '#server/platform/postgres/query.ts';

/** Between one part of the store and the next: all 32 within a day. */
const TURN_MINUTES = 45;

/**
 * Which part of the store, 0 to 31, is to be looked at now; undefined where none is. Of several processes one is told,
 * and a part that it does not finish has its next turn a day later.
 */
export const takeTurn = async (db: Db): Promise<number | undefined> => {
  const [row] = await query<{ turn: number }>(
    db,
    `UPDATE photo_store_turn SET turn = (turn + 1) % 32, next_at = now() + make_interval(mins => ${TURN_MINUTES})
    WHERE next_at <= now() RETURNING (turn + 31) % 32 AS turn`,
    [],
  );
  return row?.turn;
};

/** Those of the names that a row knows. */
export const findKnown = async (db: Db, names: readonly string[]): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`SELECT name FROM photo_files WHERE name = ANY (${names})`.execute(db);
  return rows.map(({ name }) => name);
};

/**
 * Notes names that no row knows as files that are being taken out, which the sweep of photos then does; answers how
 * many. A row that somebody wrote meanwhile stays as it is, and whoever brings such a picture from now on waits.
 */
export const markStrays = async (db: Db, names: readonly string[]): Promise<number> => {
  // Nobody knows how large they are, and nobody asks before they are gone.
  const { numAffectedRows } = await sql`INSERT INTO photo_files
      (name, width, height, colour, bytes, keep_until, going_at)
    SELECT name, 1, 1, '000000', 1, now(), now() FROM unnest(${names}::text[]) AS name
    ON CONFLICT (name) DO NOTHING`.execute(db);
  return Number(numAffectedRows ?? 0n);
};
