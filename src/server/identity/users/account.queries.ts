import { sql } from 'kysely';
import type { Db, Trx } from '#server/platform/postgres/db.ts';

/** What guards the user's account, for themselves. */
export const selectGuards = (db: Db, userId: string): Promise<{ hasPassword: boolean } | undefined> =>
  db
    .selectFrom('users')
    .select(sql<boolean>`password_hash IS NOT NULL`.as('hasPassword'))
    .where('id', '=', userId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();

export const updateProfile = async (
  db: Db,
  userId: string,
  profile: { name?: string | undefined; photoUrl?: string | undefined; timeZone?: string | undefined },
): Promise<void> => {
  await db
    .updateTable('users')
    .set({
      ...(profile.name !== undefined && { name: profile.name }),
      ...(profile.photoUrl !== undefined && { photo_url: profile.photoUrl }),
      ...(profile.timeZone !== undefined && { time_zone: profile.timeZone }),
    })
    .where('id', '=', userId)
    .where('deleted_at', 'is', null)
    .execute();
};

/** Puts one picture in the place of another that the user has still. */
export const updatePortrait = async (
  db: Db,
  userId: string,
  picture: { readonly from: string; readonly to: string },
): Promise<void> => {
  await db
    .updateTable('users')
    .set({ photo_url: picture.to })
    .where('id', '=', userId)
    .where('photo_url', '=', picture.from)
    .where('deleted_at', 'is', null)
    .execute();
};

/** Stores a password's hash in place of `had`, the one that was compared or none; false where it is another by now. */
export const updatePassword = async (
  trx: Trx,
  userId: string,
  input: { hash: string; had: string | null },
): Promise<boolean> => {
  const result = await trx
    .updateTable('users')
    .set({ password_hash: input.hash })
    .where('id', '=', userId)
    .where('deleted_at', 'is', null)
    .where('password_hash', 'is not distinct from', input.had)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
};
