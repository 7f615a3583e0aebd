import { sql } from 'kysely';
import type { OrderToDecide } from '#contract/money/money-admin.ts';
import type { Db } from '#server/platform/postgres/db.ts';

export interface OrderToDecideRow extends Omit<OrderToDecide, '_id' | 'since' | 'due'> {
  readonly id: string;
  readonly since: Date;
  readonly due: Date | null;
}

/** Orders that wait for an admin or a bank, the first to end by itself first. */
export const listOrdersToDecide = async (db: Db, limit: number): Promise<OrderToDecideRow[]> => {
  // What goes back comes to that refund only once it was passed on. What is frozen has no deadline: its dispute tells.
  const { rows } = await sql<OrderToDecideRow>`
    SELECT w.id, b.title, b.buyer_name AS buyer, s.name AS seller, w.why, w.since, w.due
    FROM (SELECT o.id, 'asked' AS why, e.at AS since, o.due_at AS due FROM orders o
        JOIN LATERAL (SELECT at FROM order_events WHERE order_id = o.id AND move = 'ask-admin' ORDER BY id LIMIT 1) e ON true
        WHERE o.due_at IS NOT NULL AND (o.state = 'problem' OR (o.state = 'returning' AND o.due_move = 'refund-problem'))
      UNION ALL
      SELECT o.id, 'uncollected', o.entered_at, o.due_at FROM orders o
        WHERE o.due_at IS NOT NULL AND o.state = 'ready' AND o.entered_at <= shop_now() - interval '14 days'
      UNION ALL
      SELECT DISTINCT o.id, 'frozen', o.frozen_at, NULL::timestamptz FROM disputes d JOIN payments p ON p.id = d.payment_id
        JOIN bookings b ON b.id = p.booking_id JOIN orders o ON o.id = b.order_id
        WHERE d.state = 'open' AND o.frozen_at IS NOT NULL) AS w
      JOIN LATERAL (SELECT title, buyer_name FROM bookings WHERE order_id = w.id ORDER BY created_at, id LIMIT 1) b ON true
      JOIN orders o ON o.id = w.id JOIN users s ON s.id = o.seller_id
    ORDER BY w.due NULLS LAST, w.since LIMIT ${limit}`.execute(db);
  return rows;
};
