import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Db } from '#server/platform/db.ts';
import { PRICE_STEPS, YEAR_STEPS } from './facets.ts';
import { onTheShelf } from './listing.queries.ts';
import { found, narrowingParts, type Narrowing } from './search.queries.ts';
import type { Wording } from './wording.ts';

/** One choice with the copies it would leave; `facet` is what it narrows, `value` null where it is unknown. */
export interface FacetRow {
  readonly facet: 'all' | 'category' | 'condition' | 'price' | 'location' | 'year' | 'verified' | 'available';
  readonly value: string | null;
  readonly name: string | null;
  readonly count: number;
}

/** Places beyond the commonest are not offered. */
const MOST_PLACES = 10;

type Part = RawBuilder<SqlBool>;
type Parts = ReturnType<typeof narrowingParts>;

const ALWAYS = sql<SqlBool>`true`;

/** Every condition but that of the facet itself: a choice is counted as if it were made instead of the present one. */
const allBut = (parts: Parts, facet: keyof Parts | undefined): Part => {
  const rest = Object.entries(parts).flatMap(([name, part]) => (name === facet || part === undefined ? [] : [part]));
  return rest.length === 0 ? ALWAYS : sql.join<SqlBool>(rest, sql` AND `);
};

const stepsAs = (steps: readonly number[]) => sql.raw(`ARRAY[${steps.join(',')}]`);

/**
 * The choices that are left, counted in one walk over at most `atMost` newest copies that match the words.
 * The row `all` counts what is found with every choice made.
 */
export const countFacets = async (
  db: Db,
  wording: Wording,
  narrowing: Narrowing,
  atMost: number,
): Promise<{ rows: FacetRow[]; walked: number }> => {
  const parts = narrowingParts(narrowing);
  const kept = (facet?: keyof Parts) => sql`(${allBut(parts, facet)})`;
  const matching = sql.join<SqlBool>([onTheShelf, ...found(wording)], sql` AND `);
  const { rows } = await sql<FacetRow & { walked: number }>`
    WITH l AS MATERIALIZED (
      SELECT l.category_id, l.condition, l.resale_cents, l.location, l.published_year, l.status, l.seller_id
      FROM listings AS l WHERE ${matching} ORDER BY l.published_at DESC, l.id DESC LIMIT ${atMost}
    ), counted AS MATERIALIZED (
      SELECT l.category_id, l.condition, l.location, l.published_year,
        width_bucket(l.resale_cents, ${stepsAs(PRICE_STEPS)}) AS price,
        greatest(width_bucket(l.published_year, ${stepsAs(YEAR_STEPS)}), 1) AS year,
        s.verified, l.status = 'available' AS available,
        ${kept()} AS in_all, ${kept('category')} AS in_category, ${kept('condition')} AS in_condition,
        ${kept('price')} AS in_price, ${kept('location')} AS in_location, ${kept('year')} AS in_year,
        ${kept('verified')} AS in_verified, ${kept('available')} AS in_available
      FROM l JOIN users AS s ON s.id = l.seller_id
    ), facets AS (
      SELECT 'all' AS facet, NULL AS value, count(*) FILTER (WHERE in_all) AS count FROM counted
      UNION ALL SELECT 'category', category_id, count(*) FROM counted WHERE in_category GROUP BY category_id
      UNION ALL SELECT 'condition', condition, count(*) FROM counted WHERE in_condition GROUP BY condition
      UNION ALL SELECT 'price', price::text, count(*) FROM counted WHERE in_price GROUP BY price
      UNION ALL SELECT 'year', year::text, count(*) FROM counted WHERE in_year AND published_year IS NOT NULL GROUP BY year
      UNION ALL SELECT 'verified', NULL, count(*) FROM counted WHERE in_verified AND verified
      UNION ALL SELECT 'available', NULL, count(*) FROM counted WHERE in_available AND available
      UNION ALL (SELECT 'location', location, count(*) AS count FROM counted WHERE in_location
        GROUP BY location ORDER BY count DESC, location LIMIT ${MOST_PLACES})
    )
    SELECT f.facet, f.value, c.name, f.count::integer AS count, (SELECT count(*)::integer FROM l) AS walked
    FROM facets AS f LEFT JOIN categories AS c ON f.facet = 'category' AND c.id = f.value
    ORDER BY f.facet, f.count DESC, f.value`.execute(db);
  return { rows, walked: rows[0]?.walked ?? 0 };
};
