import { sql } from 'kysely';
import type { Db, Trx } from '#server/platform/postgres/db.ts';

/** A browser that is not used for so long has lost its cookie anyway. */
const FORGOTTEN_AFTER_DAYS = 400;

/** Notes that a user's known browser was used; answers whether it was known. */
export const touchDevice = async (trx: Trx, userId: string, tokenHash: Buffer): Promise<boolean> => {
  const result = await trx
    .updateTable('devices')
    .set({ used_at: sql<Date>`now()` })
    .where('user_id', '=', userId)
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
};

/** Whether whoever has this address has signed in with this browser before. */
export const isDeviceOf = async (db: Db, email: string, tokenHash: Buffer): Promise<boolean> => {
  const known = await db
    .selectFrom('devices as d')
    .innerJoin('users as u', 'u.id', 'd.user_id')
    .select('d.user_id')
    .where(sql<boolean>`lower(u.email) = lower(${email})`)
    .where('u.deleted_at', 'is', null)
    .where('d.token_hash', '=', tokenHash)
    .executeTakeFirst();
  return known !== undefined;
};

/** Notes a browser that is new to a user; answers whether it is their first. */
export const insertDevice = async (trx: Trx, userId: string, tokenHash: Buffer): Promise<boolean> => {
  const others = await trx.selectFrom('devices').select('user_id').where('user_id', '=', userId).executeTakeFirst();
  await trx
    .insertInto('devices')
    .values({ user_id: userId, token_hash: tokenHash })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return others === undefined;
};

/** Forgets the browsers of a user that were used longest ago, beyond `most`. */
export const deleteDevicesBeyond = (trx: Trx, userId: string, most: number): Promise<unknown> =>
  sql`
    DELETE FROM devices WHERE user_id = ${userId} AND token_hash IN (
      SELECT token_hash FROM devices WHERE user_id = ${userId}
      ORDER BY used_at DESC, token_hash OFFSET ${most} FOR UPDATE SKIP LOCKED)`.execute(trx);

export const deleteForgottenDevices = (db: Db): Promise<unknown> =>
  db
    .deleteFrom('devices')
    .where(sql<boolean>`used_at < now() - ${sql.lit(FORGOTTEN_AFTER_DAYS)} * interval '1 day'`)
    .execute();
