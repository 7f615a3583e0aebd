import type { Db } from '#server/platform/postgres/db.ts';
import { prepared, queryPipelined } from '#server/platform/postgres/query.ts';
import { ON_THE_SHELF } from '#server/catalog/listings/listing-json.queries.ts';

/** More locations of one name than these are not told apart. */
const MOST_LOCATIONS = 100;

/** Whatever is the key, or begins with it and a space; an exclamation mark comes right after the space. */
export const inPlace = (key: string): string =>
  `search_text(l.location) COLLATE "C" >= ${key} AND search_text(l.location) COLLATE "C" < ${key} || '!'`;

const next = (beyond: string): string => `(
    SELECT search_text(l.location) COLLATE "C" AS key, l.location COLLATE "C" AS location FROM listings AS l
    WHERE ${ON_THE_SHELF} AND ${inPlace('named.key')} ${beyond}
    ORDER BY search_text(l.location) COLLATE "C", l.location COLLATE "C" LIMIT 1)`;

const LOCATIONS = prepared(
  'locations',
  `WITH RECURSIVE named AS MATERIALIZED (
      SELECT DISTINCT search_text(name) COLLATE "C" AS key FROM unnest($1::text[]) AS name WHERE search_text(name) <> ''
    ), step AS (
      SELECT named.key AS name, first.key, first.location, 1 AS place FROM named CROSS JOIN LATERAL ${next('')} AS first
      UNION ALL
      SELECT named.key, following.key, following.location, step.place + 1
      FROM step JOIN named ON named.key = step.name CROSS JOIN LATERAL ${next(
        'AND (search_text(l.location) COLLATE "C", l.location COLLATE "C") > (step.key, step.location)',
      )} AS following
      WHERE step.place < ${MOST_LOCATIONS}
    )
    SELECT DISTINCT location FROM step ORDER BY location`,
);

/** The locations of copies on the shelf that begin with one of these names, each found by one step in the index. */
export const findLocations = async (db: Db, names: readonly string[]): Promise<string[]> => {
  const rows = await queryPipelined<{ location: string }>(db, LOCATIONS, [names]);
  return rows.map(({ location }) => location);
};
