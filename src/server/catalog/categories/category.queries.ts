import { sql, type SqlBool } from 'kysely';
import type { Category } from '#contract/catalog/catalog.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';

/** All categories as the contract shows them, by name. */
export const listCategoryRows = (db: Db): Promise<Category[]> =>
  db
    .selectFrom('categories')
    .select(['id as category_id', 'name as category_name'])
    .orderBy(sql`lower(name)`)
    .orderBy('id')
    .execute();

export const findCategory = (db: Db, id: string): Promise<{ id: string; name: string } | undefined> =>
  db.selectFrom('categories').select(['id', 'name']).where('id', '=', id).executeTakeFirst();

/** The category's row, kept from being removed until the transaction ends. */
export const keepCategory = (trx: Trx, id: string): Promise<{ id: string; name: string } | undefined> =>
  trx.selectFrom('categories').select(['id', 'name']).where('id', '=', id).forKeyShare().executeTakeFirst();

/** Categories that have this id or this name, whatever the name's case. */
export const findSameCategories = (
  db: Db,
  category: { id: string; name: string },
): Promise<{ id: string; name: string }[]> =>
  db
    .selectFrom('categories')
    .select(['id', 'name'])
    .where((eb) => eb.or([eb('id', '=', category.id), sql<SqlBool>`lower(name) = lower(${category.name})`]))
    .execute();

/** Makes additions of one user take turns until the transaction ends, so that counting them is exact. */
export const lockAdditionsOf = async (trx: Trx, userId: string): Promise<void> => {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`categories:${userId}`}, 0))`.execute(trx);
};

/** How many categories a user added in the last 24 hours. */
export const countAdditionsToday = async (db: Db, userId: string): Promise<number> => {
  const row = await db
    .selectFrom('categories')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('created_by', '=', userId)
    .where('created_at', '>', sql<Date>`now() - interval '1 day'`)
    .executeTakeFirstOrThrow();
  return Number(row.count);
};

/** Adds a category; false when its id or its name is taken. */
export const insertCategory = async (
  db: Db,
  category: { id: string; name: string; createdBy: string | null },
): Promise<boolean> => {
  const result = await db
    .insertInto('categories')
    .values({ id: category.id, name: category.name, created_by: category.createdBy })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
};
