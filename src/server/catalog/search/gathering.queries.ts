import type { GatheredCopies } from '#contract/catalog/search.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { noValues, queryLimited } from '#server/platform/postgres/query.ts';
import { ON_THE_SHELF } from '#server/catalog/listings/listing-json.queries.ts';
import { narrowed, type Narrowing } from './narrowing.queries.ts';

/**
 * Of each of these books of which more than one copy on the shelf fits: how many do, and the lowest price of those that
 * can be booked; of all where none can.
 */
export const countCopies = async (
  db: Db,
  isbns: readonly string[],
  narrowing: Narrowing,
): Promise<GatheredCopies[]> => {
  if (isbns.length === 0) return [];
  const values = noValues();
  const where = [
    ON_THE_SHELF,
    "l.isbn13 <> ''",
    `l.isbn13 = ANY (${values.add(isbns)}::text[])`,
    ...narrowed(narrowing, values),
  ];
  return queryLimited<GatheredCopies>(
    db,
    `SELECT l.isbn13, count(*)::integer AS copies,
      coalesce(min(l.resale_cents) FILTER (WHERE l.status = 'available'), min(l.resale_cents)) / 100.0::float8 AS "from"
    FROM listings AS l WHERE ${where.join(' AND ')} GROUP BY l.isbn13 HAVING count(*) > 1`,
    values.all,
  );
};
