import { sql } from 'kysely';
import type { Db, Trx } from '#server/platform/postgres/db.ts';

/** Puts these codes in place of those from before, used ones too. */
export const replaceRecoveryCodes = async (trx: Trx, userId: string, hashes: readonly Buffer[]): Promise<void> => {
  await deleteRecoveryCodesOf(trx, userId);
  await trx
    .insertInto('recovery_codes')
    .values(hashes.map((hash) => ({ code_hash: hash, user_id: userId, used_at: null })))
    .execute();
};

/** Spends a code; answers whether it was the user's and not spent yet. Of many who spend it one does. */
export const spendRecoveryCode = async (trx: Trx, userId: string, hash: Buffer): Promise<boolean> => {
  const result = await trx
    .updateTable('recovery_codes')
    .set({ used_at: sql<Date>`now()` })
    .where('code_hash', '=', hash)
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
};

/** How many codes the user has not spent yet. */
export const countRecoveryCodes = async (db: Db, userId: string): Promise<number> => {
  const row = await db
    .selectFrom('recovery_codes')
    .select((of) => of.fn.countAll<string>().as('count'))
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(row.count);
};

export const deleteRecoveryCodesOf = (trx: Trx, userId: string): Promise<unknown> =>
  trx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
