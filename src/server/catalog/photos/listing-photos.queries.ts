import { sql, type SqlBool } from 'kysely';
import type { PhotoChoice } from '#contract/catalog/photos.ts';
import type { PhotoCaption } from '#contract/catalog/photo-rules.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';

/** Those of the photos that are this user's and not deleted, kept as they are until the transaction ends. */
export const lockOwnPhotos = (trx: Trx, ownerId: string, ids: readonly string[]): Promise<OwnPhoto[]> =>
  trx
    .selectFrom('photos')
    .select(['id', sql<string>`name`.as('name')])
    .where('id', 'in', [...ids])
    .where('owner_id', '=', ownerId)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute();

export interface OwnPhoto {
  readonly id: string;
  /** Of its file. */
  readonly name: string;
}

/** What a copy has, the cover first. */
export const listPlaced = (trx: Trx, listingId: string): Promise<{ id: string; caption: PhotoCaption | null }[]> =>
  trx
    .selectFrom('listing_photos')
    .select(['photo_id as id', 'caption'])
    .where('listing_id', '=', listingId)
    .orderBy('position')
    .execute();

/** The copies that have a photo, in order. */
export const listCopiesWith = async (trx: Trx, photoId: string): Promise<string[]> => {
  const rows = await trx
    .selectFrom('listing_photos')
    .select('listing_id as id')
    .where('photo_id', '=', photoId)
    .orderBy('listing_id')
    .execute();
  return rows.map(({ id }) => id);
};

/** Takes photos off a copy; those that nothing else has are kept for one day more. Answers which they were. */
export const takeOff = async (trx: Trx, listingId: string): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`WITH gone AS (
      DELETE FROM listing_photos WHERE listing_id = ${listingId} RETURNING photo_id)
    UPDATE photos SET keep_until = now() + interval '1 day'
    WHERE id IN (SELECT photo_id FROM gone) RETURNING id`.execute(trx);
  return rows.map(({ id }) => id);
};

/** Gives a copy that has none these photos, the cover first. */
export const putOn = async (trx: Trx, listingId: string, photos: readonly PhotoChoice[]): Promise<void> => {
  await trx
    .insertInto('listing_photos')
    .values(photos.map(({ id, caption }, position) => ({ listing_id: listingId, position, photo_id: id, caption })))
    .execute();
  await keepPhotos(
    trx,
    photos.map(({ id }) => id),
  );
};

/** As long as something has them; whoever takes them off says until when from then on. */
export const keepPhotos = async (trx: Trx, ids: readonly string[]): Promise<void> => {
  await trx
    .updateTable('photos')
    .set({ keep_until: sql<Date>`'infinity'` })
    .where('id', 'in', [...ids])
    .execute();
};

/** Nothing has these photos `p`. */
const IS_FREE = sql<SqlBool>`NOT EXISTS (SELECT FROM listing_photos AS i WHERE i.photo_id = p.id)
  AND NOT EXISTS (SELECT FROM order_photos AS o WHERE o.photo_id = p.id)
  AND NOT EXISTS (SELECT FROM message_photos AS m WHERE m.photo_id = p.id)
  AND NOT EXISTS (SELECT FROM users AS u WHERE u.id = p.owner_id AND u.photo_url = p.name)`;

/** Keeps photos as they are until the transaction ends; to be done before `deleteFree`. */
export const lockPhotos = async (trx: Trx, ids: readonly string[]): Promise<void> => {
  await trx
    .selectFrom('photos')
    .select('id')
    .where('id', 'in', [...ids])
    .orderBy('id')
    .forUpdate()
    .execute();
};

/**
 * Deletes those of the photos that nothing has; answers how many. A file that nobody else has goes at once, not a day
 * later.
 */
export const deleteFree = async (trx: Trx, ids: readonly string[]): Promise<number> => {
  const { rows } = await sql<{ name: string }>`SELECT p.name FROM photos AS p
    WHERE p.id = ANY (${ids}) AND p.deleted_at IS NULL AND ${IS_FREE}`.execute(trx);
  if (rows.length === 0) return 0;
  const names = rows.map(({ name }) => name);
  await sql`UPDATE photos AS p SET deleted_at = now(), name = NULL, keep_until = now() + interval '1 day'
    WHERE p.id = ANY (${ids}) AND p.deleted_at IS NULL AND ${IS_FREE}`.execute(trx);
  await sql`UPDATE photo_files SET keep_until = now() WHERE name = ANY (${names})`.execute(trx);
  return rows.length;
};

/**
 * Marks the files of photos that nothing has any more as taken down: no promise shows them from then on. What somebody
 * else uploaded, too, is theirs, and what another of their copies shows stays.
 */
export const takeDown = async (trx: Trx, ids: readonly string[]): Promise<void> => {
  await sql`UPDATE photo_files SET taken_down_at = now() WHERE name IN (
    SELECT p.name FROM photos AS p WHERE p.id = ANY (${ids}) AND p.deleted_at IS NULL AND ${IS_FREE}
      AND NOT EXISTS (SELECT FROM photos AS q LEFT JOIN listing_photos AS i ON i.photo_id = q.id
        LEFT JOIN listings AS l ON l.id = i.listing_id
        WHERE q.name = p.name AND (q.owner_id <> p.owner_id OR l.status <> 'withdrawn')))`.execute(trx);
};

/** Ids of a user's photos that are not deleted, after one of them. */
export const listPhotosOf = async (
  db: Db,
  ownerId: string,
  page: { readonly after: string; readonly limit: number },
): Promise<string[]> => {
  const rows = await db
    .selectFrom('photos')
    .select('id')
    .where('owner_id', '=', ownerId)
    .where('deleted_at', 'is', null)
    .$if(page.after !== '', (query) => query.where('id', '>', page.after))
    .orderBy('id')
    .limit(page.limit)
    .execute();
  return rows.map(({ id }) => id);
};
