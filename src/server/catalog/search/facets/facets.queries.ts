import type { Db } from '#server/platform/postgres/db.ts';
import { queryLimited, noValues, type Values } from '#server/platform/postgres/query.ts';
import { PRICE_STEPS, YEAR_STEPS, type FacetRow } from './facets.ts';
import { NEWEST_FIRST, ON_THE_SHELF } from '#server/catalog/listings/listing-json.queries.ts';
import {
  narrowingParts,
  OF_PUBLISHER,
  SAID,
  type Facet,
  type Narrowing,
} from '#server/catalog/search/narrowing.queries.ts';
import { found } from '#server/catalog/search/tiers/tiers.queries.ts';
import type { Wording } from '#server/catalog/search/wording.ts';

/** Of these the commonest are offered, and what is chosen. */
const MOST_OFFERED = 10;

/** What each facet of several values counts by. */
const COLUMNS = {
  category: 'm.category_id',
  condition: 'm.condition',
  price: 'm.price',
  location: 'm.location',
  year: 'm.year',
  binding: 'm.binding',
  language: 'm.language',
  publisher: 'm.publisher',
  seller: 'm.seller_id',
  since: 'm.since',
} as const satisfies Partial<Record<Facet, string>>;
type Column = keyof typeof COLUMNS;
const FACETS = Object.keys(COLUMNS) as Column[];

/** What a copy is, or is not known to be: counted as one, as few combinations of them occur. */
const FLAGS = {
  verified: 's.verified',
  available: 'm.available',
  signed: 'm.signed',
  first: 'm.first',
  jacket: 'm.jacket',
  'ex-library': 'm."ex-library"',
  'book-club': 'm."book-club"',
  writing: 'm.writing',
} as const satisfies Omit<Record<Facet, string>, Column | 'reduced'>;
type Flag = keyof typeof FLAGS;
const FLAG_NAMES = Object.keys(FLAGS) as Flag[];

const FACET_OF_GROUP = `CASE ${FACETS.map((facet) => `WHEN grouping(${COLUMNS[facet]}) = 0 THEN '${facet}'`).join(' ')}
  WHEN grouping(${FLAGS.available}) = 0 THEN 'flags' ELSE 'all' END`;
const VALUE_OF_GROUP = `coalesce(${FACETS.map((facet) => `${COLUMNS[facet]}::text`).join(', ')})`;
const GROUPS = ['()', ...FACETS.map((facet) => `(${COLUMNS[facet]})`), `(${Object.values(FLAGS).join(', ')})`];

const SAID_COLUMNS = Object.entries(SAID).map(([name, said]) => `${said} AS "${name}"`);

const stepsAs = (steps: readonly number[]): string => `ARRAY[${steps.join(',')}]`;

const allOf = (parts: ReadonlyMap<Facet, string>, but?: Facet): string => {
  const rest = [...parts].flatMap(([facet, part]) => (facet === but ? [] : [`(${part})`]));
  return rest.length === 0 ? 'true' : rest.join(' AND ');
};

/** In which of the spans that end at these times, the youngest first, a copy was listed; null before all of them. */
const spanOfAge = (since: readonly string[], { add }: Values): string =>
  since.length === 0
    ? 'NULL::integer'
    : `CASE ${since.map((time, place) => `WHEN l.published_at >= ${add(time)}::timestamptz THEN ${place}`).join(' ')} END`;

interface Counting {
  readonly wording: Wording;
  readonly narrowing: Narrowing;
  /** Beginnings of the spans of age, the youngest first. */
  readonly since: readonly string[];
  readonly atMost: number;
}

/**
 * The choices that are left, counted in one walk over at most `atMost` newest copies that match the words, all facets
 * at once. The row `all` counts what is found with every choice made, `unknown` of how many it is not known whether
 * they fit.
 */
export const countFacets = async (
  db: Db,
  { wording, narrowing, since, atMost }: Counting,
): Promise<{ rows: FacetRow[]; walked: number }> => {
  const values = noValues();
  const matching = [ON_THE_SHELF, ...found(wording, values)].join(' AND ');
  const { known, possible } = narrowingParts(narrowing, values);
  const [made, other] = narrowing.facts?.orUnknown === true ? [possible, known] : [known, possible];
  // A choice is counted as if it were made instead of the present one; a facet that nothing is chosen of is counted
  // with every choice made.
  const chosen = [...made.keys()];
  const kept = [
    ...(chosen.length === 0 ? [] : [`(${allOf(made)}) AS in_all`]),
    ...(narrowing.facts === undefined ? [] : [`(${allOf(other)}) AS in_other`]),
    ...chosen.map((facet) => `(${allOf(made, facet)}) AS "in_${facet}"`),
  ];
  const counts = [
    `count(*)${chosen.length === 0 ? '' : ' FILTER (WHERE m.in_all)'} AS all_count`,
    `${narrowing.facts === undefined ? 'NULL::bigint' : 'count(*) FILTER (WHERE m.in_other)'} AS other_count`,
    ...chosen.map((facet) => `count(*) FILTER (WHERE m."in_${facet}") AS "${facet}_count"`),
  ];
  const countOf = (facet: Facet): string => (chosen.includes(facet) ? `"${facet}_count"` : 'all_count');
  const chosenOf = (facet: Facet, value: string | undefined): string =>
    value === undefined ? '' : `OR r.facet = '${facet}' AND r.value = ${values.add(value)}`;
  const rows = await queryLimited<FacetRow & { walked: number }>(
    db,
    `WITH counted AS (
      SELECT ${FACET_OF_GROUP} AS facet, ${VALUE_OF_GROUP} AS value, count(*) AS walked,
        ${FLAG_NAMES.map((flag) => `${FLAGS[flag]} AS "${flag}"`).join(', ')}, ${counts.join(', ')}
      FROM (
        SELECT l.category_id, l.condition, l.location, l.seller_id, l.status = 'available' AS available,
          width_bucket(l.resale_cents, ${stepsAs(PRICE_STEPS)}) AS price,
          CASE WHEN l.published_year IS NOT NULL
            THEN greatest(width_bucket(l.published_year, ${stepsAs(YEAR_STEPS)}), 1) END AS year,
          ${OF_PUBLISHER} AS publisher, ${spanOfAge(since, values)} AS since,
          ${[...SAID_COLUMNS, ...kept].join(', ')}
        FROM (
          SELECT l.id, l.category_id, l.condition, l.location, l.seller_id, l.status, l.resale_cents, l.published_year,
            l.publisher, l.published_at
          FROM listings AS l WHERE ${matching} ORDER BY ${NEWEST_FIRST} LIMIT ${atMost}
        ) AS l LEFT JOIN copy_passports AS p ON p.listing_id = l.id
      ) AS m JOIN users AS s ON s.id = m.seller_id
      GROUP BY GROUPING SETS (${GROUPS.join(', ')})
    ), told AS (
      SELECT facet, value, walked, CASE facet ${FACETS.map((facet) => `WHEN '${facet}' THEN ${countOf(facet)}`).join(' ')}
        ELSE all_count END AS count
      FROM counted WHERE facet <> 'flags' AND (facet = 'all' OR value IS NOT NULL)
      UNION ALL
      SELECT 'unknown', NULL, walked, abs(other_count - all_count) FROM counted WHERE facet = 'all' AND other_count IS NOT NULL
      UNION ALL
      SELECT f.flag, 'true', 0, sum(f.count) FROM counted CROSS JOIN LATERAL (
        VALUES ${FLAG_NAMES.map((flag) => `('${flag}', "${flag}", ${countOf(flag)})`).join(', ')}) AS f (flag, is_so, count)
      WHERE facet = 'flags' AND f.is_so GROUP BY f.flag
    ), ranked AS (
      SELECT facet, value, walked, count, row_number() OVER (PARTITION BY facet ORDER BY count DESC, value) AS place
      FROM told WHERE facet = 'all' OR count > 0
    )
    SELECT r.facet, r.value, r.count::integer AS count, r.walked::integer AS walked,
      CASE r.facet WHEN 'category' THEN (SELECT c.name FROM categories AS c WHERE c.id = r.value)
        WHEN 'seller' THEN (SELECT u.name FROM users AS u WHERE u.id = r.value::uuid) END AS name
    FROM ranked AS r
    WHERE r.facet NOT IN ('location', 'publisher', 'seller') OR r.place <= ${MOST_OFFERED}
      ${chosenOf('location', narrowing.location)} ${chosenOf('publisher', narrowing.facts?.publisher)}
      ${chosenOf('seller', narrowing.sellerId)}
    ORDER BY r.facet, r.place`,
    values.all,
  );
  return { rows, walked: rows.find(({ facet }) => facet === 'all')?.walked ?? 0 };
};
