import { sql } from 'kysely';
import type { ReducedCopy } from '#contract/catalog/search.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';

/** A reduction is from the lowest price of so many days before it: none that was raised to be cut. */
const LOWEST_OF_DAYS = 30;
/** A price is news for so long. */
export const REDUCED_DAYS = 14;

/** That the row `c` of price_changes is the reduction of the copy `l` since a time, all three as SQL. */
export const isReduction = (since: string): string =>
  `c.listing_id = l.id AND c.was_cents IS NOT NULL AND c.to_cents = l.resale_cents AND c.changed_at >= ${since}`;

export interface PriceChange {
  readonly fromCents: number;
  readonly toCents: number;
}

/** Notes that the prices of copies, locked by the caller, change now. */
export const notePriceChanges = async (
  trx: Trx,
  changes: readonly (PriceChange & { readonly listingId: string })[],
): Promise<void> => {
  if (changes.length === 0) return;
  const ids = changes.map(({ listingId }) => listingId);
  // Only the last change of a copy can be its reduction: it may come back to a price that once was one.
  await sql`UPDATE price_changes SET was_cents = NULL
    WHERE listing_id = ANY (${ids}::uuid[]) AND was_cents IS NOT NULL`.execute(trx);
  await sql`
    INSERT INTO price_changes (listing_id, from_cents, to_cents, was_cents)
    SELECT new.id, new.from_cents, new.to_cents, CASE WHEN new.to_cents < before.lowest THEN before.lowest END
    FROM unnest(${ids}::uuid[], ${changes.map(({ fromCents }) => fromCents)}::integer[],
      ${changes.map(({ toCents }) => toCents)}::integer[]) AS new (id, from_cents, to_cents),
    LATERAL (SELECT least(new.from_cents, min(c.from_cents), min(c.to_cents)) AS lowest FROM price_changes AS c
      WHERE c.listing_id = new.id AND c.changed_at > now() - make_interval(days => ${LOWEST_OF_DAYS})
    ) AS before`.execute(trx);
};

/** Notes that the price of a copy, locked by the caller, changes now. */
export const notePriceChange = (trx: Trx, listingId: string, change: PriceChange): Promise<void> =>
  notePriceChanges(trx, [{ listingId, ...change }]);

/** Of those of these copies that cost less than before since a time (ISO 8601): what they cost, in US dollars. */
export const listReductions = async (db: Db, ids: readonly string[], since: string): Promise<ReducedCopy[]> => {
  const { rows } = await sql<ReducedCopy>`
    SELECT DISTINCT ON (c.listing_id) c.listing_id AS _id, c.was_cents / 100.0::float8 AS was
    FROM price_changes AS c JOIN listings AS l ON l.id = c.listing_id
    WHERE c.listing_id = ANY (${ids}::uuid[]) AND c.was_cents IS NOT NULL AND c.to_cents = l.resale_cents
      AND c.changed_at >= ${since}::timestamptz
    ORDER BY c.listing_id, c.changed_at DESC`.execute(db);
  return rows;
};
