import type { Db } from '#server/platform/postgres/db.ts';
import { queryLimited, noValues } from '#server/platform/postgres/query.ts';
import { PRICE_STEPS, YEAR_STEPS, type FacetRow } from './facets.ts';
import { NEWEST_FIRST, ON_THE_SHELF } from '#server/catalog/listings/listing-json.queries.ts';
import { found, narrowingParts, type Narrowing } from './search.queries.ts';
import type { Wording } from './wording.ts';

/** Places beyond the commonest are not offered. */
const MOST_PLACES = 10;

type Parts = ReturnType<typeof narrowingParts>;
type Facet = keyof Parts;

/** The column that each facet counts by. */
const COLUMNS = {
  category: 'm.category_id',
  condition: 'm.condition',
  price: 'm.price',
  location: 'm.location',
  year: 'm.year',
  verified: 's.verified',
  available: 'm.available',
} as const satisfies Record<Facet, string>;
const FACETS = Object.keys(COLUMNS) as Facet[];

const FACET_OF_GROUP = `CASE ${FACETS.map((facet) => `WHEN grouping(${COLUMNS[facet]}) = 0 THEN '${facet}'`).join(' ')} ELSE 'all' END`;
const VALUE_OF_GROUP = `coalesce(${FACETS.map((facet) => `${COLUMNS[facet]}::text`).join(', ')})`;

/** Every condition but that of the facet itself: a choice is counted as if it were made instead of the present one. */
const allBut = (parts: Parts, facet?: Facet): string => {
  const rest = FACETS.flatMap((name) => (name === facet || parts[name] === undefined ? [] : [parts[name]]));
  return rest.length === 0 ? 'true' : rest.join(' AND ');
};

const stepsAs = (steps: readonly number[]): string => `ARRAY[${steps.join(',')}]`;

/**
 * The choices that are left, counted in one walk over at most `atMost` newest copies that match the words, all facets
 * at once. The row `all` counts what is found with every choice made.
 */
export const countFacets = async (
  db: Db,
  wording: Wording,
  narrowing: Narrowing,
  atMost: number,
): Promise<{ rows: FacetRow[]; walked: number }> => {
  const values = noValues();
  const matching = [ON_THE_SHELF, ...found(wording, values)].join(' AND ');
  const parts = narrowingParts(narrowing, values);
  // A facet that nothing is chosen of is counted with every choice made.
  const chosen = FACETS.filter((facet) => parts[facet] !== undefined);
  const kept = chosen.map((facet) => `(${allBut(parts, facet)}) AS in_${facet}`);
  const counts = chosen.map((facet) => `count(*) FILTER (WHERE m.in_${facet}) AS ${facet}_count`);
  const countOf =
    chosen.length === 0
      ? 'all_count'
      : `CASE facet ${chosen.map((facet) => `WHEN '${facet}' THEN ${facet}_count`).join(' ')} ELSE all_count END`;
  const rows = await queryLimited<FacetRow & { walked: number }>(
    db,
    `WITH counted AS (
      SELECT ${FACET_OF_GROUP} AS facet, ${VALUE_OF_GROUP} AS value, count(*) AS walked,
        ${['count(*) FILTER (WHERE m.in_all) AS all_count', ...counts].join(', ')}
      FROM (
        SELECT l.category_id, l.condition, l.location, l.seller_id, l.status = 'available' AS available,
          width_bucket(l.resale_cents, ${stepsAs(PRICE_STEPS)}) AS price,
          CASE WHEN l.published_year IS NOT NULL
            THEN greatest(width_bucket(l.published_year, ${stepsAs(YEAR_STEPS)}), 1) END AS year,
          ${[`(${allBut(parts)}) AS in_all`, ...kept].join(', ')}
        FROM listings AS l WHERE ${matching} ORDER BY ${NEWEST_FIRST} LIMIT ${atMost}
      ) AS m JOIN users AS s ON s.id = m.seller_id
      GROUP BY GROUPING SETS ((), ${FACETS.map((facet) => `(${COLUMNS[facet]})`).join(', ')})
    ), ranked AS (
      SELECT facet, value, walked, count, row_number() OVER (PARTITION BY facet ORDER BY count DESC, value) AS place
      FROM (SELECT facet, value, walked,
        ${countOf} AS count FROM counted) AS c
      WHERE facet = 'all' OR (count > 0 AND value IS NOT NULL AND NOT (facet IN ('verified', 'available') AND value = 'false'))
    )
    SELECT r.facet, r.value, c.name, r.count::integer AS count, r.walked::integer AS walked
    FROM ranked AS r LEFT JOIN categories AS c ON r.facet = 'category' AND c.id = r.value
    WHERE r.facet <> 'location' OR r.place <= ${MOST_PLACES}
    ORDER BY r.facet, r.place`,
    values.all,
  );
  return { rows, walked: rows.find(({ facet }) => facet === 'all')?.walked ?? 0 };
};
