// The statements of references/statement.ts: what somebody would write by hand for these tables, with the keys of the
// contract.
import { COPY_PROMISE } from '#server/bookings/holds/promise.queries.ts';

const PAGE_ROWS = 24;
const HOLD_MINUTES = 30;

/** Where visitors think the shop is: photos are told by whole addresses. */
const PHOTOS = `${process.env['PUBLIC_URL'] ?? ''}/photos`;

const SHELF = 'l.on_shelf';

/** What a card knows of a photo of the shop's own, whose name has 22 letters. */
const PHOTO = `CASE WHEN length(l.image_url) = 22 THEN (SELECT row_to_json(photo)
  FROM (SELECT f.name, f.width, f.height, f.colour FROM photo_files AS f WHERE f.name = l.image_url) AS photo) END`;

const FIELDS = `l.id AS _id, l.title, l.authors, l.isbn13, l.published_year, l.publisher,
  CASE WHEN length(l.image_url) = 22 THEN '${PHOTOS}/' || l.image_url || '/720.webp' ELSE l.image_url END AS image_url,
  ${PHOTO} AS photo, u.name AS "Seller", coalesce(u.seller_slug, '') AS seller_slug, u.verified AS seller_verified, '' AS email, '' AS phone,
  CASE WHEN l.original_known THEN l.original_cents / 100.0::float8 ELSE 0 END AS original_price, l.original_known,
  l.resale_cents / 100.0::float8 AS resale_price, l.years_of_use::float8 AS years_of_use, l.years_known, l.location,
  to_char(l.published_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS published_date, l.details, l.condition,
  l.category_id, c.name AS category_name,
  CASE l.status WHEN 'available' THEN 'Available' WHEN 'held' THEN 'Reserved' ELSE 'Sold' END AS status,
  CASE WHEN l.status = 'held' THEN (SELECT count(*) FROM waitlist_entries AS w WHERE w.listing_id = l.id) ELSE 0 END AS waiting`;

const FROM = `listings AS l JOIN users AS u ON u.id = l.seller_id JOIN categories AS c ON c.id = l.category_id`;

const NEWEST = 'ORDER BY l.published_at DESC, l.id DESC';

const page = (where: string): string =>
  `(SELECT ${FIELDS} FROM ${FROM} WHERE ${SHELF} AND ${where} ${NEWEST} LIMIT ${PAGE_ROWS}) AS page`;

const ROWS = `coalesce(array_to_json(array_agg(page)), '[]')`;

export const LIST_OF_CATEGORY = {
  name: 'list_of_category',
  text: `SELECT ${ROWS}::text AS json FROM ${page(`l.category_id = $1 AND (l.published_at, l.id) < ($2::timestamptz, $3::uuid)`)}`,
};

export const LIST = {
  name: 'list',
  text: `SELECT ${ROWS}::text AS json FROM ${page('(l.published_at, l.id) < ($1::timestamptz, $2::uuid)')}`,
};

/** How a copy comes to its buyer: of what its seller says of all copies and what of this one. */
const DELIVERY = `(SELECT row_to_json(way) FROM (SELECT s.pickup,
    CASE WHEN s.pickup THEN coalesce(nullif(coalesce(e.pickup_place, d.pickup_place), ''), l.location) ELSE '' END
      AS "pickupPlace",
    s.post, coalesce(e.first_cents, d.first_cents, 0) / 100.0::float8 AS first,
    coalesce(e.further_cents, d.further_cents, 0) / 100.0::float8 AS further,
    CASE WHEN e.free_from_own THEN e.free_from_cents ELSE d.free_from_cents END / 100.0::float8 AS "freeFrom",
    coalesce(e.countries, d.countries, '{}') AS countries, coalesce(d.home, 'US') AS home,
    coalesce(e.days_to_post, d.days_to_post, 3) AS "daysToPost"
  FROM (SELECT coalesce(e.pickup, d.pickup, true) OR NOT p.post AS pickup, p.post FROM (
    SELECT coalesce(e.post, d.post, false) AND coalesce(e.countries, d.countries, '{}') <> '{}' AS post) AS p) AS s
  ) AS way) AS delivery`;

/** The photos of a copy, in the order of its seller. */
const ALL_PHOTOS = `(SELECT coalesce(array_to_json(array_agg(photo)), '[]') FROM (
    SELECT p.id, f.name, f.width, f.height, f.colour, i.caption,
      coalesce(p.fetched_from = 'sample', false) AS sample FROM listing_photos AS i
    JOIN photos AS p ON p.id = i.photo_id JOIN photo_files AS f ON f.name = p.name
    WHERE i.listing_id = l.id ORDER BY i.position) AS photo) AS photos`;

/** What is said of a copy; those that the bench lists have nothing that its defects would have to be looked up for. */
const PASSPORT = `(SELECT row_to_json(said) FROM (
    SELECT rules, grade, jacket_grade AS "jacketGrade", binding, language, pages, edition, printing, signed, jacket,
      book_club AS "bookClub", ex_library AS "exLibrary", remainder, annotated, no_defects AS "noDefects",
      no_jacket_defects AS "noJacketDefects", defects, from_edition AS "fromEdition"
    FROM copy_passports WHERE listing_id = l.id) AS said) AS passport`;

/** The pages of its authors. */
const AUTHOR_PAGES = `(SELECT coalesce(array_to_json(array_agg((SELECT w FROM (SELECT one.name, one.slug) AS w)
    ORDER BY one.place)), '[]')
  FROM (SELECT DISTINCT ON (slug) name, slug, place
    FROM unnest(author_names(l.authors)) WITH ORDINALITY AS n (name, place), author_slug(name) AS slug
    WHERE slug <> '' ORDER BY slug, place) AS one) AS author_pages`;

/** What it cost before it was reduced. */
const REDUCED_FROM = `(SELECT c.was_cents / 100.0::float8 FROM price_changes AS c
  WHERE c.listing_id = l.id AND c.was_cents IS NOT NULL AND c.to_cents = l.resale_cents
    AND c.changed_at >= now() - interval '14 days' ORDER BY c.changed_at DESC LIMIT 1) AS reduced_from`;

/** Whether it is held for a reader who asked for the book before it came. */
const OFFERED = `l.status = 'held' AND EXISTS (SELECT FROM holds AS h JOIN bookings AS b ON b.id = h.booking_id
  WHERE h.listing_id = l.id AND b.offered IS NOT NULL) AS offered`;

/** As what its seller sells. */
const SELLS_AS = `coalesce((SELECT s.kind FROM seller_declarations AS s WHERE s.user_id = l.seller_id), '') AS seller_sells_as`;

export const BOOK = {
  name: 'book',
  text: `SELECT row_to_json(book)::text AS json
    FROM (SELECT ${FIELDS}, ${AUTHOR_PAGES}, ${ALL_PHOTOS}, ${DELIVERY}, ${PASSPORT}, l.seller_id, ${SELLS_AS}, ${REDUCED_FROM}, ${OFFERED}
      FROM ${FROM} LEFT JOIN delivery_terms AS d ON d.seller_id = l.seller_id
      LEFT JOIN delivery_exceptions AS e ON e.listing_id = l.id
      WHERE l.id = $1 AND l.status NOT IN ('withdrawn', 'paused')) AS book`,
};

/** All of the words, newest first; the planner may walk the index of words or that of the newest copies. */
export const SEARCH = {
  name: 'search',
  text: `SELECT json_build_object('listings', ${ROWS})::text AS json FROM ${page('l.words @@ $1::tsquery')}`,
};

export const TAKE = {
  name: 'take',
  text: `UPDATE listings SET status = 'held', updated_at = now() WHERE id = $1 AND status = 'available'
    RETURNING seller_id, title, authors, image_url, condition, details, resale_cents`,
};

export const INSERT_BOOKING = {
  name: 'insert_booking',
  text: `INSERT INTO bookings (listing_id, buyer_id, seller_id, title, authors, image_url, condition, details, buyer_name,
      buyer_email, phone, location, price_cents)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) RETURNING id`,
};

/** What the copy promises, in the shop's own words, with its photos and a hash of its text. */
export const INSERT_PROMISE = {
  name: 'insert_promise',
  text: `WITH copy AS (SELECT ${COPY_PROMISE}::jsonb AS promise FROM listings AS l WHERE l.id = $2),
    photos AS (
      INSERT INTO promised_photos (booking_id, position, name, caption)
      SELECT $1, i.position, p.name, i.caption FROM listing_photos AS i JOIN photos AS p ON p.id = i.photo_id
      WHERE i.listing_id = $2)
    INSERT INTO booking_promises (booking_id, promise, hash)
    SELECT $1, promise, sha256(convert_to(promise::text, 'UTF8')) FROM copy`,
};

export const INSERT_HOLD = {
  name: 'insert_hold',
  text: `INSERT INTO holds (listing_id, booking_id, buyer_id, expires_at)
    VALUES ($1, $2, $3, now() + interval '${HOLD_MINUTES} minutes') RETURNING expires_at`,
};

export const INSERT_MAIL = {
  name: 'insert_mail',
  text: 'INSERT INTO outbox (key, kind, to_email, to_name, data) VALUES ($1, $2, $3, $4, $5) ON CONFLICT (key) DO NOTHING',
};
