import type { TitleStock } from '#contract/catalog/editions/popular.ts';
import { prepared, query } from '#server/platform/postgres/query.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { ON_THE_SHELF } from './listing-json.queries.ts';

const TITLE_STOCK = prepared(
  'title_stock',
  `SELECT wanted.title, count(found.resale_cents)::integer AS copies, min(found.resale_cents) / 100.0::float8 AS "from"
  FROM unnest($1::text[]) WITH ORDINALITY AS wanted (title, place)
    LEFT JOIN LATERAL (SELECT l.resale_cents FROM listings AS l
      WHERE l.title_key = search_text(wanted.title) AND ${ON_THE_SHELF} AND l.status = 'available') AS found ON true
  GROUP BY wanted.title, wanted.place ORDER BY wanted.place`,
);

/** How many copies of each title can be booked, and from which price; in the order of the titles. */
export const readTitleStock = (db: Db, titles: readonly string[]): Promise<TitleStock[]> =>
  query<TitleStock>(db, TITLE_STOCK, [titles]);
