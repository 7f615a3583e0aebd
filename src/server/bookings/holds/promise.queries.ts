import { sql } from 'kysely';
import type { CopyPromise } from '#contract/bookings/promise.ts';
import { canonicalObjectOf } from '#server/platform/json-text.ts';
import type { Trx } from '#server/platform/postgres/db.ts';

const DEFECT = canonicalObjectOf([
  ['defect', "d.one ->> 'defect'"],
  ['degree', "d.one ->> 'degree'"],
  ['note', "d.one ->> 'note'"],
  [
    'photo',
    `(SELECT f.name FROM listing_photos AS i JOIN photos AS f ON f.id = i.photo_id
      WHERE i.listing_id = p.listing_id AND i.photo_id = (d.one ->> 'photo')::uuid)`,
  ],
]);

const PASSPORT = canonicalObjectOf([
  ['rules', 'p.rules'],
  ['grade', 'p.grade'],
  ['jacketGrade', 'p.jacket_grade'],
  ['binding', 'p.binding'],
  ['language', 'p.language'],
  ['pages', 'p.pages'],
  ['edition', 'p.edition'],
  ['printing', 'p.printing'],
  ['signed', 'p.signed'],
  ['jacket', 'p.jacket'],
  ['bookClub', 'p.book_club'],
  ['exLibrary', 'p.ex_library'],
  ['remainder', 'p.remainder'],
  ['annotated', 'p.annotated'],
  ['noDefects', 'p.no_defects'],
  ['noJacketDefects', 'p.no_jacket_defects'],
  [
    'defects',
    `coalesce((SELECT array_to_json(array_agg(${DEFECT} ORDER BY d.place))
      FROM jsonb_array_elements(p.defects) WITH ORDINALITY AS d (one, place)), '[]')`,
  ],
  ['fromEdition', 'p.from_edition'],
]);

const PHOTO = canonicalObjectOf([
  ['name', 'f.name'],
  ['caption', 'i.caption'],
]);

/** What the copy `l` promises whoever books it now, with the fields of the contract, as RFC 8785 writes it. */
export const COPY_PROMISE = `(SELECT row_to_json(${canonicalObjectOf([
  ['title', 'l.title'],
  ['authors', 'l.authors'],
  ['isbn13', 'l.isbn13'],
  ['published_year', 'l.published_year'],
  ['publisher', 'l.publisher'],
  ['condition', 'l.condition'],
  ['details', 'l.details'],
  ['price_cents', 'l.resale_cents'],
  ['picture', 'l.image_url'],
  [
    'photos',
    `coalesce((SELECT array_to_json(array_agg(${PHOTO} ORDER BY i.position)) FROM listing_photos AS i
      JOIN photos AS f ON f.id = i.photo_id WHERE i.listing_id = l.id), '[]')`,
  ],
  ['passport', `(SELECT row_to_json(${PASSPORT}) FROM copy_passports AS p WHERE p.listing_id = l.id)`],
])}))`;

/**
 * Whether the picture that a booking `b` was promised is still one of its copy `l`: what the shop has fetched since is
 * the same, and a photo may have become another than the cover.
 */
export const HAS_PROMISED_PICTURE = `(b.image_url = l.image_url OR (b.image_url <> '' AND b.image_url = l.image_source)
  OR EXISTS (SELECT FROM listing_photos AS i JOIN photos AS p ON p.id = i.photo_id
    WHERE i.listing_id = l.id AND (p.name = b.image_url OR p.fetched_from = b.image_url)))`;

/** What a copy that is held promises at this moment; undefined where it is not held. */
export const selectHeldPromise = async (trx: Trx, listingId: string): Promise<CopyPromise | undefined> => {
  const { rows } = await sql<{ promise: CopyPromise }>`
    SELECT ${sql.raw(COPY_PROMISE)} AS promise FROM listings AS l WHERE l.id = ${listingId} AND l.status = 'held'
  `.execute(trx);
  return rows[0]?.promise;
};

/** What a booking promises of its copy, null where that was not written down whole, and the copy as it is. */
export const readPromise = (trx: Trx, bookingId: string) =>
  trx
    .selectFrom('bookings as b')
    .innerJoin('listings as l', 'l.id', 'b.listing_id')
    .leftJoin('booking_promises as k', 'k.booking_id', 'b.id')
    .select([
      'b.title',
      'b.authors',
      'b.condition',
      'b.details',
      sql<string>`picture_address(b.image_url)`.as('image_url'),
      sql<boolean>`${sql.raw(HAS_PROMISED_PICTURE)}`.as('hasPicture'),
      'b.price_cents as priceCents',
      'k.promise',
      sql<CopyPromise>`${sql.raw(COPY_PROMISE)}`.as('current'),
      sql<string>`picture_address(l.image_url)`.as('nowImageUrl'),
      // A copy that was withdrawn and restored has its photos, and its bookings' promises have not.
      sql<boolean>`NOT EXISTS (SELECT FROM listing_photos AS i JOIN photos AS p ON p.id = i.photo_id
        WHERE i.listing_id = l.id AND NOT EXISTS (
          SELECT FROM promised_photos AS q WHERE q.booking_id = b.id AND q.name = p.name))`.as('isPictured'),
    ])
    .where('b.id', '=', bookingId)
    .executeTakeFirstOrThrow();

/** From now on the copy as it is at this moment, which is `current`, is what was promised. */
export const renewPromise = async (
  trx: Trx,
  bookingId: string,
  { promise, hash }: { readonly promise: CopyPromise; readonly hash: Buffer },
): Promise<void> => {
  await sql`UPDATE bookings AS b SET title = l.title, authors = l.authors, condition = l.condition, details = l.details,
      image_url = l.image_url, price_cents = l.resale_cents
    FROM listings AS l WHERE l.id = b.listing_id AND b.id = ${bookingId}`.execute(trx);
  await sql`INSERT INTO booking_promises (booking_id, promise, hash)
    VALUES (${bookingId}, ${JSON.stringify(promise)}::jsonb, ${hash})
    ON CONFLICT (booking_id) DO UPDATE SET promise = excluded.promise, hash = excluded.hash`.execute(trx);
  await sql`DELETE FROM promised_photos WHERE booking_id = ${bookingId}`.execute(trx);
  await sql`INSERT INTO promised_photos (booking_id, position, name, caption)
    SELECT b.id, i.position, p.name, i.caption FROM bookings AS b
      JOIN listing_photos AS i ON i.listing_id = b.listing_id JOIN photos AS p ON p.id = i.photo_id
    WHERE b.id = ${bookingId}`.execute(trx);
};
