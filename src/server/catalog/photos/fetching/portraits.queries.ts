import type { Db } from '#server/platform/postgres/db.ts';

/** The photo that a user is shown by, where it was fetched from this address. */
export const findPortraitFrom = async (db: Db, userId: string, address: string): Promise<string | undefined> => {
  const found = await db
    .selectFrom('users as u')
    .innerJoin('photos as p', (join) => join.onRef('p.owner_id', '=', 'u.id').onRef('p.name', '=', 'u.photo_url'))
    .select('u.photo_url as name')
    .where('u.id', '=', userId)
    .where('p.fetched_from', '=', address)
    .executeTakeFirst();
  return found?.name;
};
