import { sql } from 'kysely';
import type { Trx } from '#server/platform/postgres/db.ts';

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
      'b.image_url',
      'b.price_cents as priceCents',
      'l.title as nowTitle',
      'l.authors as nowAuthors',
      'l.condition as nowCondition',
      'l.details as nowDetails',
      'l.image_url as nowImageUrl',
      'l.resale_cents as nowPriceCents',
    ])
    .where('b.id', '=', bookingId)
    .executeTakeFirstOrThrow();

/** From now on the copy as it is at this moment is what was promised. */
export const renewPromise = async (trx: Trx, bookingId: string): Promise<void> => {
  await sql`UPDATE bookings AS b SET title = l.title, authors = l.authors, condition = l.condition, details = l.details,
      image_url = l.image_url, price_cents = l.resale_cents
    FROM listings AS l WHERE l.id = b.listing_id AND b.id = ${bookingId}`.execute(trx);
};
