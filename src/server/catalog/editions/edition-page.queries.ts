import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { CONDITIONS } from '#contract/catalog/catalog.ts';
import type { EditionAnswer, EditionSort, ShelvedCopy } from '#contract/catalog/editions/edition-page.ts';
import { GRADES } from '#contract/catalog/passport/grades.ts';
import type { AuthorLink } from '#contract/catalog/author-links.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { objectOf } from '#server/platform/json-text.ts';
import { authorPages } from '#server/catalog/authors/author-json.ts';
import { cardPhoto } from '#server/catalog/listings/listing-json.queries.ts';

/** The predicate of the partial indexes, word for word: without it they are not used. */
const onShelf = (isbn13: string) => sql<SqlBool>`l.on_shelf AND l.isbn13 <> '' AND l.isbn13 = ${isbn13}`;

/** A place in the order of copies: how good (0 where they stand by price alone), the price, the id. */
export interface CopyPlace {
  readonly rank: number;
  readonly cents: number;
  readonly id: string;
}

/**
 * By condition, and within one by the trade's grade; what is not itemised comes after what is. A grade never gives
 * another condition than the copy has.
 */
const RANK = sql<number>`(array_position(${CONDITIONS}::text[], l.condition) * 10
  + coalesce(array_position(${GRADES}::text[], p.grade), 9))`;

const PASSPORT = `CASE WHEN p.listing_id IS NOT NULL THEN row_to_json(${objectOf([
  ['grade', 'p.grade'],
  ['jacketGrade', 'p.jacket_grade'],
  ['jacket', 'p.jacket'],
  ['signed', 'p.signed'],
  ['noDefects', 'p.no_defects'],
  ['defects', 'p.defects'],
])}) END`;

const ORDERS: Record<EditionSort, RawBuilder<unknown>> = {
  price: sql`l.resale_cents, l.id`,
  grade: sql`${RANK}, l.resale_cents, l.id`,
};

const beyond = (sort: EditionSort, after: CopyPlace | undefined): RawBuilder<SqlBool> => {
  if (after === undefined) return sql`true`;
  const { rank, cents, id } = after;
  return sort === 'price'
    ? sql`(l.resale_cents, l.id) > (${cents}, ${id}::uuid)`
    : sql`(${RANK}, l.resale_cents, l.id) > (${rank}, ${cents}, ${id}::uuid)`;
};

export interface CopiesAsked {
  readonly isbn13: string;
  readonly sort: EditionSort;
  readonly after: CopyPlace | undefined;
  readonly limit: number;
}

/** The copies of an edition on the shelf: the statement. */
export const copiesOnShelf = ({ isbn13, sort, after, limit }: CopiesAsked) => sql<ShelvedCopy & CopyPlace>`
  SELECT l.id AS _id, l.title, l.condition, l.resale_cents / 100.0::float8 AS resale_price, l.location,
    u.name AS "Seller", coalesce(u.seller_slug, '') AS seller_slug, u.verified AS seller_verified, listing_status(l.status) AS status,
    CASE WHEN l.status = 'held' THEN (SELECT count(*) FROM waitlist_entries AS w WHERE w.listing_id = l.id) ELSE 0
      END::integer AS waiting,
    ${sql.raw(PASSPORT)} AS passport,
    ${sort === 'price' ? sql`0` : RANK}::integer AS rank, l.resale_cents AS cents, l.id
  FROM listings AS l JOIN users AS u ON u.id = l.seller_id LEFT JOIN copy_passports AS p ON p.listing_id = l.id
  WHERE ${onShelf(isbn13)} AND ${beyond(sort, after)}
  ORDER BY ${ORDERS[sort]} LIMIT ${limit}`;

/** The copies of an edition on the shelf, each with its place in their order. */
export const listCopiesOnShelf = async (db: Db, asked: CopiesAsked): Promise<(ShelvedCopy & CopyPlace)[]> =>
  (await copiesOnShelf(asked).execute(db)).rows;

/** How many copies of an edition are on the shelf, the lowest price in US dollars, and the newest picture of one. */
export const readShelfOf = async (
  db: Db,
  isbn13: string,
): Promise<Pick<EditionAnswer, 'count' | 'from' | 'image_url' | 'photo'>> => {
  const { rows } = await sql<Pick<EditionAnswer, 'count' | 'from' | 'image_url' | 'photo'>>`
    WITH pictured AS (
      SELECT l.image_url FROM listings AS l JOIN photo_files AS f ON f.name = l.image_url
      WHERE ${onShelf(isbn13)} AND length(l.image_url) = 22
      ORDER BY l.published_at DESC, l.id DESC LIMIT 1
    )
    SELECT count(*)::integer AS count, min(l.resale_cents) / 100.0::float8 AS "from",
      coalesce((SELECT picture_address(image_url) FROM pictured), '') AS image_url,
      (SELECT ${sql.raw(cardPhoto('pictured.image_url'))} FROM pictured) AS photo
    FROM listings AS l WHERE ${onShelf(isbn13)}`.execute(db);
  return rows[0] ?? { count: 0, from: null, image_url: '', photo: null };
};

/** Newest copies that are looked at for what most of them say. */
const COPIES_ASKED = 100;

/** What sellers of copies that anybody may look at say as data of binding, language and pages. */
export const readSaidOfCopies = async (
  db: Db,
  isbn13: string,
): Promise<{ binding: string; language: string; pages: number | null }> => {
  const { rows } = await sql<{ binding: string; language: string; pages: number | null }>`
    SELECT coalesce(mode() WITHIN GROUP (ORDER BY binding) FILTER (WHERE binding <> ''), '') AS binding,
      coalesce(mode() WITHIN GROUP (ORDER BY language) FILTER (WHERE language <> ''), '') AS language,
      mode() WITHIN GROUP (ORDER BY pages) FILTER (WHERE pages IS NOT NULL) AS pages
    FROM (SELECT p.binding, p.language, p.pages FROM listings AS l JOIN copy_passports AS p ON p.listing_id = l.id
      WHERE l.isbn13 = ${isbn13} AND l.isbn13 <> '' AND l.status NOT IN ('withdrawn', 'paused')
      ORDER BY l.published_at DESC LIMIT ${COPIES_ASKED}) AS newest`.execute(db);
  return rows[0] ?? { binding: '', language: '', pages: null };
};

/** Whoever a text names as authors, with the addresses of their pages. */
export const readAuthorPages = async (db: Db, authors: string): Promise<AuthorLink[]> => {
  const { rows } = await sql<{ pages: AuthorLink[] }>`
    SELECT ${sql.raw(authorPages('given.authors'))} AS pages FROM (SELECT ${authors}::text AS authors) AS given`.execute(
    db,
  );
  return rows[0]?.pages ?? [];
};
