import { sql, type RawBuilder } from 'kysely';
import type { AuthorAnswer, AuthorBook, AuthorSort } from '#contract/catalog/authors.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { objectOf } from '#server/platform/json-text.ts';
import { cardPhoto } from '#server/catalog/listings/listing-json.queries.ts';

/** The slug of an author's page out of their name, or of the slug itself; `''` for what names nobody. */
export const slugOf = async (db: Db, name: string): Promise<string> => {
  const { rows } = await sql<{ slug: string }>`SELECT author_slug(${name}) AS slug`.execute(db);
  return rows[0]?.slug ?? '';
};

const ORDERS: Record<AuthorSort, RawBuilder<unknown>> = {
  copies: sql`copies DESC, title_key, isbn13`,
  title: sql`title_key, isbn13`,
};

const BOOK = sql.raw(
  objectOf([
    ['_id', 'page.id'],
    ['title', 'page.title'],
    ['authors', 'page.authors'],
    ['isbn13', 'page.isbn13'],
    ['copies', 'page.copies'],
    ['from', 'page.cents / 100.0::float8'],
    ['image_url', "coalesce(picture_address(page.picture), '')"],
    ['photo', cardPhoto('page.picture')],
  ]),
);

/** Newest copies that are looked at for how most of them write the name. */
const COPIES_ASKED = 100;

export interface BooksAsked {
  readonly slug: string;
  readonly sort: AuthorSort;
  readonly limit: number;
  readonly offset: number;
}

/**
 * The copies of an author on the shelf, gathered by ISBN, or by title where they have none: the statement. All of them
 * are read for each page, as only together they say how many there are of each.
 */
export const booksOf = ({ slug, sort, limit, offset }: BooksAsked) => sql<
  Pick<AuthorAnswer, 'name' | 'count'> & { books: AuthorBook[] }
>`
  WITH own AS MATERIALIZED (
    SELECT l.id, l.isbn13, l.title, l.title_key, l.authors, l.resale_cents, l.image_url, l.published_at
    FROM listings AS l WHERE l.on_shelf AND author_slugs(l.authors) @> ARRAY[${slug}]
  ), books AS MATERIALIZED (
    SELECT isbn13, min(title_key) AS title_key, count(*) AS copies, min(resale_cents) AS cents,
      (array_agg(id ORDER BY resale_cents, id))[1] AS id, mode() WITHIN GROUP (ORDER BY title) AS title,
      mode() WITHIN GROUP (ORDER BY authors) AS authors,
      max(image_url) FILTER (WHERE length(image_url) = 22) AS picture
    FROM own GROUP BY isbn13, CASE WHEN isbn13 = '' THEN title_key END
  ), page AS (
    SELECT *, row_number() OVER (ORDER BY ${ORDERS[sort]}) AS place FROM books
    ORDER BY place LIMIT ${limit} OFFSET ${offset}
  )
  SELECT coalesce((
      SELECT name FROM (SELECT authors FROM own ORDER BY published_at DESC LIMIT ${COPIES_ASKED}) AS newest,
        unnest(author_names(newest.authors)) AS name
      WHERE author_slug(name) = ${slug} GROUP BY name ORDER BY count(*) DESC, name LIMIT 1), '') AS name,
    (SELECT count(*)::integer FROM books) AS count,
    (SELECT coalesce(array_to_json(array_agg(${BOOK} ORDER BY page.place)), '[]') FROM page) AS books`;

/** One page of an author's books, with the name and how many there are; `count` is 0 where there is no copy. */
export const readBooksOf = async (
  db: Db,
  asked: BooksAsked,
): Promise<Pick<AuthorAnswer, 'name' | 'count' | 'books'>> => {
  const { rows } = await booksOf(asked).execute(db);
  return rows[0] ?? { name: '', count: 0, books: [] };
};
