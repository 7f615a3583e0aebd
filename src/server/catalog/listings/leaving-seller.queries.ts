import { sql, type SqlBool } from 'kysely';
import type { Position } from '#server/platform/cursor.ts';
import type { Db } from '#server/platform/postgres/db.ts';

/** Takes phone and place out of up to `limit` of a seller's copies that nobody waits for; answers how many. */
export const eraseContactOf = async (db: Db, sellerId: string, limit: number): Promise<number> => {
  const some = db
    .selectFrom('listings')
    .select('id')
    .where('seller_id', '=', sellerId)
    .where('status', 'in', ['withdrawn', 'sold'])
    .where(sql<SqlBool>`(phone <> '' OR location <> '')`)
    .limit(limit);
  const result = await db
    .updateTable('listings')
    .set({ phone: '', location: '' })
    .where('id', 'in', some)
    .executeTakeFirst();
  return Number(result.numUpdatedRows);
};

/** Whether a seller still has copies on the shelf or promised to a buyer. */
export const hasCopiesInShop = async (db: Db, sellerId: string): Promise<boolean> => {
  const row = await db
    .selectFrom('listings')
    .select('id')
    .where('seller_id', '=', sellerId)
    .where('on_shelf', '=', true)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
};

/** A seller's copies with all that was written about them, the newest first, after a position. */
export const listCopiesToExport = (db: Db, sellerId: string, page: { limit: number; after: Position | undefined }) =>
  db
    .selectFrom('listings as l')
    .innerJoin('categories as c', 'c.id', 'l.category_id')
    .select([
      'l.id',
      'l.title',
      'l.authors',
      'l.isbn13',
      'l.published_year',
      'l.publisher',
      'l.image_url',
      sql<number | null>`CASE WHEN l.original_known THEN l.original_cents / 100.0::float8 END`.as('original_price'),
      sql<number>`l.resale_cents / 100.0::float8`.as('resale_price'),
      sql<number | null>`CASE WHEN l.years_known THEN l.years_of_use::float8 END`.as('years_of_use'),
      'l.location',
      'l.phone',
      'l.details',
      'l.condition',
      'l.status',
      'c.name as category_name',
      'l.updated_at',
      sql<string>`to_char(l.published_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`.as('at'),
    ])
    .where('l.seller_id', '=', sellerId)
    .$if(page.after !== undefined, (query) =>
      query.where(
        sql<SqlBool>`(l.published_at, l.id) < (${page.after?.at ?? ''}::timestamptz, ${page.after?.id ?? ''}::uuid)`,
      ),
    )
    .orderBy('l.published_at', 'desc')
    .orderBy('l.id', 'desc')
    .limit(page.limit)
    .execute();
