import { sql } from 'kysely';
import type { Db } from '#server/platform/postgres/db.ts';

/** A copy of the demo's that nobody has bought, held or given a picture. */
export interface BareCopy {
  readonly id: string;
  readonly sellerId: string;
  readonly seller: string;
  readonly title: string;
}

/** Of the demo's own copies that these name, those without a picture, in that order. */
export const listBareCopies = async (
  db: Db,
  copies: readonly { readonly seller: string; readonly title: string }[],
): Promise<BareCopy[]> => {
  const { rows } = await sql<BareCopy>`SELECT l.id, l.seller_id AS "sellerId", w.seller, w.title
    FROM jsonb_to_recordset(${JSON.stringify(copies.map((copy, place) => ({ ...copy, place })))}::jsonb)
      AS w (seller text, title text, place integer)
    JOIN users AS u ON u.email = w.seller AND u.deleted_at IS NULL
    JOIN listings AS l ON l.seller_id = u.id AND l.title = w.title
    WHERE l.image_url = '' AND l.import_key IS NULL AND l.status IN ('available', 'paused') AND u.is_seller
    ORDER BY w.place`.execute(db);
  return rows;
};

/** Gives further copies of a seller the photos of the first ones, by their titles. */
export const sharePhotos = async (db: Db, sellerId: string, keys: readonly string[]): Promise<void> => {
  await sql`INSERT INTO listing_photos (listing_id, position, photo_id, caption)
    SELECT further.id, i.position, i.photo_id, i.caption FROM listings AS further
    JOIN listings AS first ON first.seller_id = further.seller_id AND first.title = further.title
      AND first.id <> further.id AND first.image_url = further.image_url AND first.import_key IS NULL
    JOIN listing_photos AS i ON i.listing_id = first.id
    WHERE further.seller_id = ${sellerId} AND further.import_key = ANY (${keys})`.execute(db);
};
