import { sql } from 'kysely';
import { REAL_NOW } from '#server/platform/postgres/clock.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';

/** A seller as their page shows them; `since` is the first day of the month in which they joined. */
export interface SellerRow {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly verified: boolean;
  readonly since: Date;
  readonly about: string;
  readonly place: string;
}

const sellers = (db: Db) =>
  db
    .selectFrom('users as u')
    .leftJoin('seller_pages as p', 'p.user_id', 'u.id')
    .where('u.is_seller', '=', true)
    .where('u.deleted_at', 'is', null);

/** Whoever the page is of; undefined for nobody, and for who has left. */
export const findSeller = (db: Db, slug: string): Promise<SellerRow | undefined> =>
  sellers(db)
    .select([
      'u.id',
      sql<string>`u.seller_slug`.as('slug'),
      'u.name',
      'u.verified',
      sql<Date>`date_trunc('month', u.created_at, 'UTC')`.as('since'),
      sql<string>`coalesce(p.about, '')`.as('about'),
      sql<string>`coalesce(p.place, '')`.as('place'),
    ])
    .where('u.seller_slug', '=', slug)
    .executeTakeFirst();

export const findOwnPage = (
  db: Db,
  userId: string,
): Promise<{ slug: string; about: string; place: string } | undefined> =>
  sellers(db)
    .select([
      sql<string>`u.seller_slug`.as('slug'),
      sql<string>`coalesce(p.about, '')`.as('about'),
      sql<string>`coalesce(p.place, '')`.as('place'),
    ])
    .where('u.id', '=', userId)
    .executeTakeFirst();

export const upsertPage = async (
  trx: Trx,
  userId: string,
  { about, place }: { about: string; place: string },
): Promise<void> => {
  await trx
    .insertInto('seller_pages')
    .values({ user_id: userId, about, place })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ about, place }))
    .execute();
};

/** Has the address of a page made anew, out of today's name (db/migrations/0086-seller-slugs.sql). */
export const renewSlug = async (trx: Trx, userId: string): Promise<void> => {
  await trx.updateTable('users').set({ seller_slug: null }).where('id', '=', userId).execute();
};

export const insertFollow = async (db: Db, userId: string, sellerId: string): Promise<void> => {
  await db
    .insertInto('seller_follows')
    .values({ user_id: userId, seller_id: sellerId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
};

export const deleteFollow = async (db: Db, userId: string, sellerId: string): Promise<void> => {
  await db.deleteFrom('seller_follows').where('user_id', '=', userId).where('seller_id', '=', sellerId).execute();
};

export const hasFollow = async (db: Db, userId: string, sellerId: string): Promise<boolean> =>
  (await db
    .selectFrom('seller_follows')
    .select('since')
    .where('user_id', '=', userId)
    .where('seller_id', '=', sellerId)
    .executeTakeFirst()) !== undefined;

/** Sellers whom somebody follows, by when they began, the newest first, after a position. */
export const listFollows = async (
  db: Db,
  userId: string,
  page: { limit: number; after: { at: string; id: string } | undefined },
): Promise<{ id: string; slug: string; name: string; at: string }[]> => {
  const { rows } = await sql<{ id: string; slug: string; name: string; at: string }>`
    SELECT u.id, u.seller_slug AS slug, u.name,
      to_char(f.since AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS at
    FROM seller_follows AS f JOIN users AS u ON u.id = f.seller_id
    WHERE f.user_id = ${userId} AND u.deleted_at IS NULL AND u.seller_slug IS NOT NULL
      AND (f.since, f.seller_id) < (coalesce(${page.after?.at ?? null}::timestamptz, 'infinity'),
        coalesce(${page.after?.id ?? null}::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
    ORDER BY f.since DESC, f.seller_id DESC LIMIT ${page.limit}`.execute(db);
  return rows;
};

/** What a follower is to hear: how many books a seller has added, and up to three of them, the newest first. */
export interface ShelfNews {
  readonly name: string;
  readonly slug: string;
  readonly count: number;
  readonly titles: readonly string[];
}

/** Books that are looked at for one follower. */
const MOST_BOOKS = 1_000;

/** Who heard nothing for a day of somebody whom they follow. */
export const findDueFollowers = async (db: Db, limit: number, after: string): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    SELECT DISTINCT user_id AS id FROM seller_follows
    WHERE told_at <= ${REAL_NOW} - interval '1 day' AND user_id > ${after}::uuid ORDER BY user_id LIMIT ${limit}`.execute(
    db,
  );
  return rows.map(({ id }) => id);
};

/** What those whom somebody follows have added, of whom they heard nothing for a day; it is no news from now on. */
export const takeNewsOfShelves = async (trx: Trx, userId: string): Promise<ShelfNews[]> => {
  const { rows } = await sql<ShelfNews>`
    WITH due AS (
      SELECT seller_id, told_at FROM seller_follows
      WHERE user_id = ${userId}::uuid AND told_at <= ${REAL_NOW} - interval '1 day' FOR UPDATE
    ), told AS (
      UPDATE seller_follows AS f SET told_at = ${REAL_NOW} FROM due
      WHERE f.user_id = ${userId}::uuid AND f.seller_id = due.seller_id
    )
    SELECT s.name, s.seller_slug AS slug, added.count, added.titles
    FROM due JOIN users AS s ON s.id = due.seller_id AND s.deleted_at IS NULL
    CROSS JOIN LATERAL (
      SELECT count(*)::integer AS count, (array_agg(n.title ORDER BY n.published_at DESC))[1:3] AS titles
      FROM (SELECT l.title, l.published_at FROM listings AS l
        WHERE l.seller_id = due.seller_id AND l.on_shelf AND l.published_at > due.told_at LIMIT ${MOST_BOOKS}) AS n
    ) AS added
    WHERE added.count > 0 ORDER BY s.name`.execute(trx);
  return rows;
};

/** Forgets what somebody said and whom they follow. */
export const deleteSellerPage = async (trx: Trx, userId: string): Promise<void> => {
  await trx.deleteFrom('seller_pages').where('user_id', '=', userId).execute();
  await sql`DELETE FROM seller_follows WHERE ${userId} IN (user_id, seller_id)`.execute(trx);
  await sql`UPDATE users SET seller_slug = NULL WHERE id = ${userId} AND seller_slug IS NOT NULL`.execute(trx);
};

/** What somebody said of themselves and whom they follow, as their export has it. */
export const sellerPageToExport = async (db: Db, userId: string) => {
  const [page, follows] = await Promise.all([
    db.selectFrom('seller_pages').select(['about', 'place']).where('user_id', '=', userId).executeTakeFirst(),
    db
      .selectFrom('seller_follows as f')
      .innerJoin('users as u', 'u.id', 'f.seller_id')
      .select(['u.name as seller', 'f.since'])
      .where('f.user_id', '=', userId)
      .orderBy('f.since')
      .execute(),
  ]);
  return { page: page ?? null, follows };
};
