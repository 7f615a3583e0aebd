import { sql } from 'kysely';
import type { Db, Trx } from '#server/platform/postgres/db.ts';

/** Puts reminders in the place of those of the state before. */
export const setReminders = async (
  trx: Trx,
  orderId: string,
  reminders: readonly { kind: string; at: Date }[],
): Promise<void> => {
  await trx.deleteFrom('order_reminders').where('order_id', '=', orderId).execute();
  if (reminders.length === 0) return;
  await trx
    .insertInto('order_reminders')
    .values(reminders.map(({ kind, at }) => ({ order_id: orderId, kind, at })))
    .execute();
};

/**
 * Puts off what an order that stood still has beside its deadline by as much as that is, before its row says that it
 * goes on: its reminders, and what counts from when it came into its state, as the time to complain does.
 */
export const putOffWith = async (trx: Trx, orderId: string, dueAt: Date): Promise<void> => {
  await sql`
    WITH stood AS (
      SELECT id, ${dueAt}::timestamptz - frozen_at - make_interval(secs => frozen_left_ms::float8 / 1000) AS long
      FROM orders WHERE id = ${orderId}),
    reminded AS (UPDATE order_reminders AS r SET at = r.at + s.long FROM stood AS s WHERE r.order_id = s.id)
    UPDATE orders AS o SET entered_at = o.entered_at + s.long FROM stood AS s WHERE o.id = s.id`.execute(trx);
};

/** Orders whose deadline is over, the oldest first. */
export const listDueOrders = async (db: Db, limit: number): Promise<string[]> => {
  const rows = await db
    .selectFrom('orders')
    .select('id')
    .where('due_at', '<=', sql<Date>`(SELECT shop_now())`)
    .orderBy('due_at')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
};

/** Takes reminders whose time has come; of several processes one gets each. */
export const takeReminders = async (trx: Trx, limit: number): Promise<{ orderId: string; kind: string }[]> => {
  const { rows } = await sql<{ orderId: string; kind: string }>`
    DELETE FROM order_reminders WHERE (order_id, kind) IN (
      SELECT r.order_id, r.kind FROM order_reminders AS r JOIN orders AS o ON o.id = r.order_id
      WHERE r.at <= (SELECT shop_now()) AND o.frozen_at IS NULL
      ORDER BY r.at LIMIT ${limit} FOR UPDATE OF r SKIP LOCKED)
    RETURNING order_id AS "orderId", kind`.execute(trx);
  return rows;
};
