import { sql, type SqlBool } from 'kysely';
import { SHOP_NOW } from '#server/platform/postgres/clock.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';

const NOWHERE = { name: '', line1: '', line2: '', city: '', state: '', postcode: '', country: '' };

/** An order that ended more than so many days ago. */
const isLongOver = (days: number) => sql<SqlBool>`o.closed_at < ${SHOP_NOW} - make_interval(days => ${days}::integer)`;

/**
 * Leaves of up to `limit` orders that ended more than `days` ago only the city and country they went to, and nothing of
 * where they were to come back to; answers whose
 * bookings are to be forgotten with them. What somebody is just moving waits.
 */
export const forgetPlaces = async (trx: Trx, days: number, limit: number): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    WITH gone AS (UPDATE orders SET forgotten_at = ${SHOP_NOW}, place = '', pickup_times = '', pickup_code = NULL,
      address = ${JSON.stringify(NOWHERE)}::jsonb
        || jsonb_build_object('city', address -> 'city', 'country', address -> 'country')
        || CASE WHEN address IS NULL THEN NULL ELSE '{}'::jsonb END
    WHERE id IN (
      SELECT o.id FROM orders AS o WHERE ${isLongOver(days)} AND o.closed_at IS NOT NULL AND o.forgotten_at IS NULL
      ORDER BY o.closed_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)
      RETURNING id),
    taken AS (UPDATE order_problems SET send_back = NULL WHERE order_id IN (SELECT id FROM gone))
    SELECT id FROM gone`.execute(trx);
  return rows.map(({ id }) => id);
};

/** Takes what somebody wrote out of their orders that ended more than `days` ago. */
export const forgetWords = async (db: Db, userId: string, days: number): Promise<void> => {
  const theirs = sql`SELECT o.id FROM orders AS o
    WHERE (o.buyer_id = ${userId} OR o.seller_id = ${userId}) AND ${isLongOver(days)}`;
  await sql`UPDATE order_events SET reason = ''
    WHERE user_id = ${userId} AND reason <> '' AND order_id IN (${theirs})`.execute(db);
  await sql`UPDATE order_problems AS p SET words = '–' FROM orders AS o
    WHERE o.id = p.order_id AND o.buyer_id = ${userId} AND p.words <> '–' AND ${isLongOver(days)}`.execute(db);
};

/** Somebody's orders that ended more than `days` ago. */
export const listOldOrders = async (db: Db, userId: string, days: number): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`SELECT o.id FROM orders AS o
    WHERE (o.buyer_id = ${userId} OR o.seller_id = ${userId}) AND ${isLongOver(days)}`.execute(db);
  return rows.map(({ id }) => id);
};

/** Whether somebody has orders that did not end more than `days` ago, or of which something is still known. */
export const hasFreshOrders = async (db: Db, userId: string, days: number): Promise<boolean> => {
  const { rows } = await sql`
    SELECT FROM orders AS o WHERE (o.buyer_id = ${userId} OR o.seller_id = ${userId})
      AND (o.closed_at IS NULL OR o.forgotten_at IS NULL OR NOT ${isLongOver(days)}) LIMIT 1`.execute(db);
  return rows.length > 0;
};
