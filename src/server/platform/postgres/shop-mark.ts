import type { Db } from './db.ts';

/** Marks a new database as that of a demo shop, or not; the first mark stays. Answers whether it is that of a demo. */
export const markShop = async (db: Db, demo: boolean): Promise<boolean> => {
  await db
    .insertInto('shop')
    .values({ demo, seeded_at: null })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return (await db.selectFrom('shop').select('demo').executeTakeFirstOrThrow()).demo;
};
