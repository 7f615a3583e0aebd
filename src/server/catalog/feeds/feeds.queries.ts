import { sql } from 'kysely';
import type { Position } from '#server/platform/cursor.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import type { Product } from './writing.ts';

/** The next copies that can be bought and have a picture, the oldest first; of one seller where `sellerId` says so. */
export const listProducts = async (
  db: Db,
  { sellerId, after, limit }: { sellerId: string | undefined; after: Position | undefined; limit: number },
): Promise<(Product & Position)[]> => {
  const own = sellerId === undefined ? sql`` : sql`AND l.seller_id = ${sellerId}::uuid`;
  const beyond =
    after === undefined ? sql`` : sql`AND (l.published_at, l.id) > (${after.at}::timestamptz, ${after.id}::uuid)`;
  const { rows } = await sql<Product & Position>`
    SELECT l.id, l.title, l.authors, l.details, l.condition, l.isbn13, l.publisher, l.resale_cents AS cents,
      picture_address(l.image_url) AS image,
      to_char(l.published_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS at
    FROM listings AS l
    WHERE l.on_shelf AND l.status = 'available' AND l.image_url <> '' ${own} ${beyond}
    ORDER BY l.published_at, l.id LIMIT ${limit}`.execute(db);
  return rows;
};

export const findSellerBySlug = (db: Db, slug: string): Promise<{ id: string; name: string } | undefined> =>
  db
    .selectFrom('users')
    .select(['id', 'name'])
    .where('seller_slug', '=', slug)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
