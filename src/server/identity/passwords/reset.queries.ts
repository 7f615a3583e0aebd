import { sql } from 'kysely';
import type { Db, Trx } from '#server/platform/postgres/db.ts';

export const insertResetRequest = (db: Db, email: string): Promise<unknown> =>
  db.insertInto('reset_requests').values({ email }).execute();

/** Takes the oldest request, passing over what others are taking; its address. */
export const takeResetRequest = async (trx: Trx): Promise<string | undefined> => {
  const { rows } = await sql<{ email: string }>`
    DELETE FROM reset_requests
    WHERE id = (SELECT id FROM reset_requests ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING email`.execute(trx);
  return rows[0]?.email;
};

/** Sets the password of somebody who is there; false when they are not. */
export const setPassword = async (trx: Trx, userId: string, hash: string): Promise<boolean> => {
  const changed = await trx
    .updateTable('users')
    .set({ password_hash: hash })
    .where('id', '=', userId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return changed.numUpdatedRows === 1n;
};
