import { sql } from 'kysely';
import type { Trx } from '#server/platform/postgres/db.ts';

/**
 * Whether the picture that a booking `b` was promised is still one of its copy `l`: what the shop has fetched since is
 * the same, and a photo may have become another than the cover.
 */
export const HAS_PROMISED_PICTURE = `(b.image_url = l.image_url OR (b.image_url <> '' AND b.image_url = l.image_source)
  OR EXISTS (SELECT FROM listing_photos AS i JOIN photos AS p ON p.id = i.photo_id
    WHERE i.listing_id = l.id AND p.name = b.image_url))`;

/** What a booking promises of its copy, and the copy as it is. */
export const readPromise = (trx: Trx, bookingId: string) =>
  trx
    .selectFrom('bookings as b')
    .innerJoin('listings as l', 'l.id', 'b.listing_id')
    .select([
      'b.title',
      'b.authors',
      'b.condition',
      'b.details',
      sql<string>`picture_address(b.image_url)`.as('image_url'),
      sql<boolean>`${sql.raw(HAS_PROMISED_PICTURE)}`.as('hasPicture'),
      'b.price_cents as priceCents',
      'l.title as nowTitle',
      'l.authors as nowAuthors',
      'l.condition as nowCondition',
      'l.details as nowDetails',
      sql<string>`picture_address(l.image_url)`.as('nowImageUrl'),
      'l.resale_cents as nowPriceCents',
    ])
    .where('b.id', '=', bookingId)
    .executeTakeFirstOrThrow();

/** From now on the copy as it is at this moment is what was promised. */
export const renewPromise = async (trx: Trx, bookingId: string): Promise<void> => {
  await sql`UPDATE bookings AS b SET title = l.title, authors = l.authors, condition = l.condition, details = l.details,
      image_url = l.image_url, price_cents = l.resale_cents
    FROM listings AS l WHERE l.id = b.listing_id AND b.id = ${bookingId}`.execute(trx);
  await sql`DELETE FROM promised_photos WHERE booking_id = ${bookingId}`.execute(trx);
  await sql`INSERT INTO promised_photos (booking_id, position, name, caption)
    SELECT b.id, i.position, p.name, i.caption FROM bookings AS b
      JOIN listing_photos AS i ON i.listing_id = b.listing_id JOIN photos AS p ON p.id = i.photo_id
    WHERE b.id = ${bookingId}`.execute(trx);
};
