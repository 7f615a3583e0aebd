import { sql } from 'kysely';
import { RESTORE_DAYS } from '#contract/admin/restoring.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';
import { query } from '#server/platform/postgres/query.ts';

/** Photos whose time is over, kept as they are until the transaction ends; somebody else's are left out. */
export const lockDuePhotos = async (trx: Trx, limit: number): Promise<string[]> => {
  const rows = await query<{ id: string }>(
    trx,
    `SELECT id FROM photos WHERE keep_until < now() AND deleted_at IS NULL ORDER BY keep_until LIMIT $1
    FOR UPDATE SKIP LOCKED`,
    [limit],
  );
  return rows.map(({ id }) => id);
};

/** Keeps those of the photos that were not deleted: something has them. */
export const keepRest = async (trx: Trx, ids: readonly string[]): Promise<void> => {
  await sql`UPDATE photos SET keep_until = 'infinity' WHERE id = ANY (${ids}) AND deleted_at IS NULL`.execute(trx);
};

/** Drops the rows of photos that were deleted more than a day ago. */
export const dropDeleted = async (db: Db): Promise<void> => {
  await query(db, 'DELETE FROM photos WHERE keep_until < now() AND deleted_at IS NOT NULL', []);
};

/** Files whose time is over, or that were begun to be taken out and not finished. */
export const lockDueFiles = async (trx: Trx, limit: number): Promise<string[]> => {
  const rows = await query<{ name: string }>(
    trx,
    `SELECT name FROM photo_files WHERE keep_until <= now() ORDER BY keep_until LIMIT $1 FOR UPDATE SKIP LOCKED`,
    [limit],
  );
  return rows.map(({ name }) => name);
};

/**
 * Of locked files: those that nothing has are marked as going, and answered; the others are kept. A process that dies
 * before they are gone leaves them to the next look.
 */
export const markGoing = async (trx: Trx, names: readonly string[]): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`UPDATE photo_files AS f SET going_at = now()
    WHERE f.name = ANY (${names}) AND NOT EXISTS (SELECT FROM photos AS p WHERE p.name = f.name)
      AND NOT EXISTS (SELECT FROM promised_photos AS b WHERE b.name = f.name) RETURNING name`.execute(trx);
  const going = rows.map(({ name }) => name);
  await sql`UPDATE photo_files SET keep_until = 'infinity'
    WHERE name = ANY (${names}) AND NOT name = ANY (${going}) AND going_at IS NULL`.execute(trx);
  return going;
};

export const dropFiles = async (db: Db, names: readonly string[]): Promise<void> => {
  await sql`DELETE FROM photo_files WHERE name = ANY (${names}) AND going_at IS NOT NULL`.execute(db);
};

/** Takes the photos off up to `limit` copies that were withdrawn so long ago that nobody restores them. */
export const stripWithdrawn = async (db: Db, limit: number): Promise<number> => {
  const { rows } = await sql`WITH gone AS (
      UPDATE listings SET image_url = '', image_source = '' WHERE id IN (
        SELECT id FROM listings WHERE withdrawn_at < now() - make_interval(days => ${sql.lit(RESTORE_DAYS)})
          AND withdrawn_at IS NOT NULL AND length(image_url) = 22 LIMIT ${limit} FOR UPDATE SKIP LOCKED)
      RETURNING id),
    taken AS (DELETE FROM listing_photos WHERE listing_id IN (SELECT id FROM gone) RETURNING photo_id),
    looked AS (UPDATE photos SET keep_until = now() WHERE id IN (SELECT photo_id FROM taken))
    SELECT id FROM gone`.execute(db);
  return rows.length;
};
