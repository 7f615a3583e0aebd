import { sql } from 'kysely';
import { REAL_NOW, SHOP_NOW } from '#server/platform/postgres/clock.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';

/** Whether the last heartbeat was less than so many seconds ago; false where there was none yet. */
export const isBeating = async (db: Db, seconds: number): Promise<boolean> => {
  const { rows } = await sql`
    SELECT FROM order_heartbeat WHERE at > ${REAL_NOW} - make_interval(secs => ${seconds})`.execute(db);
  return rows.length > 0;
};

/** Milliseconds since the last heartbeat, whose row is locked then; 0 for the first one of all. */
export const lockHeartbeat = async (trx: Trx): Promise<number> => {
  await sql`INSERT INTO order_heartbeat DEFAULT VALUES ON CONFLICT DO NOTHING`.execute(trx);
  const { rows } = await sql<{ ms: number }>`
    SELECT (extract(epoch FROM ${REAL_NOW} - at) * 1000)::float8 AS ms FROM order_heartbeat FOR UPDATE`.execute(trx);
  return rows[0]?.ms ?? 0;
};

export const beat = async (trx: Trx): Promise<void> => {
  await sql`UPDATE order_heartbeat SET at = greatest(at, ${REAL_NOW}), shop_at_before = shop_at, shop_at = ${SHOP_NOW}`.execute(
    trx,
  );
};

/**
 * Puts off by `ms` what was ahead when the shop stopped so long ago: deadlines of orders, reminders, and what counts
 * from when an order came into its state, as the time to complain does. What began since then stays. Answers how many
 * orders have more time.
 */
export const putOff = async (trx: Trx, ms: number): Promise<number> => {
  const gap = sql`make_interval(secs => ${ms}::float8 / 1000)`;
  const stopped = sql`${SHOP_NOW} - ${gap}`;
  await sql`UPDATE order_reminders AS r SET at = r.at + ${gap} FROM orders AS o
    WHERE o.id = r.order_id AND o.entered_at <= ${stopped} AND r.at > ${stopped}`.execute(trx);
  const { numAffectedRows = 0n } =
    await sql`UPDATE orders SET due_at = due_at + ${gap}, entered_at = entered_at + ${gap}
    WHERE due_at > ${stopped} AND entered_at <= ${stopped}`.execute(trx);
  return Number(numAffectedRows);
};
