import { sql, type SqlBool } from 'kysely';
import type { Position } from '#server/platform/cursor.ts';
import type { Db } from '#server/platform/postgres/db.ts';

/** A user's photos with what shows them, the newest first, after a position. */
export const listPhotosToExport = (db: Db, ownerId: string, page: { limit: number; after: Position | undefined }) =>
  db
    .selectFrom('photos as p')
    .innerJoin('photo_files as f', 'f.name', 'p.name')
    .select([
      'p.id',
      'f.width',
      'f.height',
      'f.bytes',
      'p.fetched_from',
      sql<object[]>`coalesce((SELECT json_agg(json_build_object('listing', i.listing_id, 'caption', i.caption))
        FROM listing_photos AS i WHERE i.photo_id = p.id), '[]')`.as('listings'),
      sql<string[]>`ARRAY(SELECT i.order_id FROM order_photos AS i WHERE i.photo_id = p.id)`.as('orders'),
      sql<boolean>`EXISTS (SELECT FROM users AS u WHERE u.id = p.owner_id AND u.photo_url = p.name)`.as('profile'),
      sql<string>`to_char(p.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`.as('at'),
    ])
    .where('p.owner_id', '=', ownerId)
    .where('p.deleted_at', 'is', null)
    .$if(page.after !== undefined, (query) =>
      query.where(
        sql<SqlBool>`(p.created_at, p.id) < (${page.after?.at ?? ''}::timestamptz, ${page.after?.id ?? ''}::uuid)`,
      ),
    )
    .orderBy('p.created_at', 'desc')
    .orderBy('p.id', 'desc')
    .limit(page.limit)
    .execute();
