import { sql, type RawBuilder } from 'kysely';
import type { Db } from '#server/platform/postgres/db.ts';

/** So many weeks by the calendar of a zone, this one the last. */
export interface WeeksAsked {
  readonly weeks: number;
  readonly timeZone: string;
}

const weekOf = (column: string, timeZone: string): RawBuilder<Date> =>
  sql<Date>`date_trunc('week', ${sql.ref(column)} AT TIME ZONE ${timeZone}::text)`;

/** The weeks that were asked for, and since when they are. */
const calendar = ({ weeks, timeZone }: WeeksAsked): RawBuilder<unknown> => sql`
  weeks AS (SELECT date_trunc('week', shop_now() AT TIME ZONE ${timeZone}::text) - n * interval '7 days' AS began
    FROM generate_series(0, ${weeks}::integer - 1) AS n),
  span AS (SELECT min(began) AT TIME ZONE ${timeZone}::text AS since FROM weeks)`;

const MONDAY = sql`to_char(w.began, 'YYYY-MM-DD')`;

export interface SalesFacts {
  readonly week: string;
  readonly sold: number;
  readonly earnedCents: number;
}

/** What a seller's orders of each week are by now: by the week of their payment, the oldest first. */
export const listSalesWeeks = async (db: Db, sellerId: string, asked: WeeksAsked): Promise<SalesFacts[]> => {
  const { rows } = await sql<SalesFacts>`
    WITH ${calendar(asked)},
    ordered AS MATERIALIZED (SELECT o.id, ${weekOf('o.created_at', asked.timeZone)} AS began FROM orders AS o
      WHERE o.seller_id = ${sellerId} AND o.created_at >= (SELECT since FROM span)),
    books AS (SELECT o.began, count(*) AS sold FROM ordered AS o JOIN bookings AS b ON b.order_id = o.id
      WHERE b.paid_at IS NOT NULL AND b.refunded_at IS NULL GROUP BY 1),
    shares AS (SELECT o.began, -sum(e.amount_cents) AS cents FROM ordered AS o
      JOIN ledger_transactions AS t ON t.order_id = o.id
        AND t.kind IN ('sale', 'postage', 'part-refund', 'refund', 'dispute-opened', 'dispute-won', 'dispute-lost')
      JOIN ledger_entries AS e ON e.transaction_id = t.id AND e.account IN ('seller', 'seller-pending')
      GROUP BY 1)
    SELECT ${MONDAY} AS week, coalesce(b.sold, 0)::integer AS sold, coalesce(s.cents, 0)::float8 AS "earnedCents"
    FROM weeks AS w LEFT JOIN books AS b USING (began) LEFT JOIN shares AS s USING (began)
    ORDER BY w.began`.execute(db);
  return rows;
};

export interface ShopFacts {
  readonly week: string;
  readonly orders: number;
  readonly paidCents: number;
  readonly refundedCents: number;
  readonly disputes: number;
  readonly newSellers: number;
}

/** What happened in the whole shop in each week, the oldest first. */
export const listShopWeeks = async (db: Db, asked: WeeksAsked): Promise<ShopFacts[]> => {
  const of = (column: string) => weekOf(column, asked.timeZone);
  const { rows } = await sql<ShopFacts>`
    WITH ${calendar(asked)},
    paid AS (SELECT ${of('p.created_at')} AS began, count(DISTINCT b.order_id) AS orders, sum(p.amount_cents) AS cents
      FROM payments AS p JOIN bookings AS b ON b.id = p.booking_id
      WHERE p.outcome = 'sale' AND p.created_at >= (SELECT since FROM span) GROUP BY 1),
    back AS (SELECT ${of('r.done_at')} AS began, sum(r.amount_cents) AS cents
      FROM refunds AS r JOIN payments AS p ON p.id = r.payment_id
      WHERE r.state = 'done' AND p.outcome = 'sale' AND r.done_at >= (SELECT since FROM span) GROUP BY 1),
    disputed AS (SELECT ${of('d.opened_at')} AS began, count(*) AS count FROM disputes AS d
      WHERE NOT d.is_inquiry AND d.opened_at >= (SELECT since FROM span) GROUP BY 1),
    joined AS (SELECT ${of('u.created_at')} AS began, count(*) AS count FROM users AS u
      WHERE u.deleted_at IS NULL AND u.is_seller AND u.created_at >= (SELECT since FROM span) GROUP BY 1)
    SELECT ${MONDAY} AS week, coalesce(p.orders, 0)::integer AS orders, coalesce(p.cents, 0)::float8 AS "paidCents",
      coalesce(k.cents, 0)::float8 AS "refundedCents", coalesce(d.count, 0)::integer AS disputes,
      coalesce(j.count, 0)::integer AS "newSellers"
    FROM weeks AS w LEFT JOIN paid AS p USING (began) LEFT JOIN back AS k USING (began)
      LEFT JOIN disputed AS d USING (began) LEFT JOIN joined AS j USING (began)
    ORDER BY w.began`.execute(db);
  return rows;
};
