import { sql, type SqlBool } from 'kysely';
import type { Condition } from '#contract/catalog/catalog.ts';
import type { PriceSpan } from '#contract/catalog/editions/edition-calls.ts';
import type { Db } from '#server/platform/postgres/db.ts';

export interface PricesAsked {
  readonly isbn13: string;
  readonly condition: Condition;
  /** Whose copies are left out; absent: nobody's. */
  readonly sellerId?: string | undefined;
}

const notOf = (column: string, sellerId: string | undefined) =>
  sellerId === undefined ? sql<SqlBool>`true` : sql<SqlBool>`${sql.ref(column)} <> ${sellerId}`;

/** What copies on the shelf cost, in cents; `count` 0 where there is none. */
export const readAsked = async (db: Db, { isbn13, condition, sellerId }: PricesAsked): Promise<PriceSpan> => {
  const { rows } = await sql<PriceSpan>`
    SELECT count(*)::integer AS count, coalesce(min(resale_cents), 0) AS low, coalesce(max(resale_cents), 0) AS high
    FROM listings
    WHERE on_shelf AND isbn13 <> '' AND isbn13 = ${isbn13} AND condition = ${condition} AND ${notOf('seller_id', sellerId)}`.execute(
    db,
  );
  return rows[0] ?? { count: 0, low: 0, high: 0 };
};

export interface Sold extends PriceSpan {
  readonly sellers: number;
  /** Sales of the seller who has most. */
  readonly most: number;
}

/**
 * What was paid for copies in the 12 months before today began in `timeZone`, in whole dollars as cents, from the first
 * to the third quartile. As of that moment: a sale or refund of today changes nothing.
 */
export const readSold = async (
  db: Db,
  { isbn13, condition, sellerId, timeZone }: PricesAsked & { timeZone: string },
): Promise<Sold> => {
  const { rows } = await sql<Sold>`
    WITH today AS (SELECT date_trunc('day', shop_now(), ${timeZone}) AS began),
    sales AS (
      SELECT b.seller_id, b.price_cents
      FROM today CROSS JOIN listings AS l
      JOIN bookings AS b ON b.listing_id = l.id
      WHERE l.isbn13 <> '' AND l.isbn13 = ${isbn13} AND coalesce(b.condition, l.condition) = ${condition}
        AND b.paid_at < today.began AND b.paid_at >= today.began - interval '12 months'
        AND (b.refunded_at IS NULL OR b.refunded_at >= today.began)
        AND ${notOf('b.seller_id', sellerId)}
    ), by_seller AS (SELECT count(*) AS sales FROM sales GROUP BY seller_id)
    SELECT count(*)::integer AS count,
      coalesce(round(percentile_cont(0.25) WITHIN GROUP (ORDER BY price_cents) / 100) * 100, 0)::integer AS low,
      coalesce(round(percentile_cont(0.75) WITHIN GROUP (ORDER BY price_cents) / 100) * 100, 0)::integer AS high,
      (SELECT count(*) FROM by_seller)::integer AS sellers,
      (SELECT coalesce(max(sales), 0) FROM by_seller)::integer AS most
    FROM sales`.execute(db);
  return rows[0] ?? { count: 0, low: 0, high: 0, sellers: 0, most: 0 };
};

export interface SoldMonth extends Sold {
  readonly condition: Condition;
  /** As 2026-10. */
  readonly month: string;
  /** The last whole one. */
  readonly lastMonth: string;
}

/**
 * The same by condition and month, of the 12 whole months before this one began in `timeZone`, the oldest first. As of
 * that moment: a sale or refund of this month changes nothing.
 */
export const listSoldMonths = async (
  db: Db,
  { isbn13, timeZone }: { isbn13: string; timeZone: string },
): Promise<SoldMonth[]> => {
  const { rows } = await sql<SoldMonth>`
    WITH this_month AS (SELECT began, began AT TIME ZONE ${timeZone}::text AS at,
        (began - interval '12 months') AT TIME ZONE ${timeZone}::text AS since
      FROM (SELECT date_trunc('month', shop_now() AT TIME ZONE ${timeZone}::text) AS began) AS now),
    sales AS (
      SELECT coalesce(b.condition, l.condition) AS condition, b.seller_id, b.price_cents,
        to_char(b.paid_at AT TIME ZONE ${timeZone}::text, 'YYYY-MM') AS month
      FROM this_month AS t CROSS JOIN listings AS l JOIN bookings AS b ON b.listing_id = l.id
      WHERE l.isbn13 <> '' AND l.isbn13 = ${isbn13} AND b.paid_at < t.at AND b.paid_at >= t.since
        AND (b.refunded_at IS NULL OR b.refunded_at >= t.at)
    ), by_seller AS (SELECT condition, month, count(*) AS sales FROM sales GROUP BY condition, month, seller_id),
    sellers AS (SELECT condition, month, count(*) AS sellers, max(sales) AS most FROM by_seller GROUP BY 1, 2)
    SELECT condition, month, count(*)::integer AS count,
      (SELECT to_char(began - interval '1 month', 'YYYY-MM') FROM this_month) AS "lastMonth",
      min(sellers)::integer AS sellers, min(most)::integer AS most,
      (round(percentile_cont(0.25) WITHIN GROUP (ORDER BY price_cents) / 100) * 100)::integer AS low,
      (round(percentile_cont(0.75) WITHIN GROUP (ORDER BY price_cents) / 100) * 100)::integer AS high
    FROM sales JOIN sellers USING (condition, month) GROUP BY 1, 2 ORDER BY 1, 2`.execute(db);
  return rows;
};
