import type { Db } from './db.ts';

/** Whether this database was ever used by a demo shop; undefined for one that is new. */
export const readDemoMark = async (db: Db): Promise<boolean | undefined> => {
  const row = await db.selectFrom('shop').select('demo').executeTakeFirst();
  return row?.demo;
};

/** Marks a new database as that of a demo shop, or not; the first mark stays. */
export const markShop = async (db: Db, demo: boolean): Promise<void> => {
  await db
    .insertInto('shop')
    .values({ demo, seeded_at: null })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
};
