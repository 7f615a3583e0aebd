import { sql } from 'kysely';
import { REVIEW_SHOWN_DAYS } from '#contract/orders/reviews.ts';
import type { Db } from './platform/postgres/db.ts';

/** Which jobs may have something to do; each looks for itself what it is. */
export interface DueJobs {
  readonly holds: boolean;
  readonly wants: boolean;
  readonly shelves: boolean;
  readonly suspensions: boolean;
  readonly provider: boolean;
  readonly mail: boolean;
  readonly resets: boolean;
  readonly orders: boolean;
  readonly payouts: boolean;
  readonly photos: boolean;
  readonly strays: boolean;
  readonly pictures: boolean;
  readonly portraits: boolean;
  readonly stock: boolean;
  readonly edits: boolean;
  readonly webhooks: boolean;
  readonly reviews: boolean;
  readonly reconciliation: boolean;
}

/** One statement for all jobs, by the database's clock: more a shop in which nothing happens does not ask. */
export const findDueJobs = async (
  db: Db,
  every: { unpaidSeconds: number; allSeconds: number },
): Promise<DueJobs | undefined> => {
  const endedHold = sql`EXISTS (SELECT FROM holds WHERE expires_at <= shop_now() OR releasing_at IS NOT NULL)`;
  const isCompared = (scope: 'unpaid' | 'all', seconds: number) => sql`EXISTS (
    SELECT FROM reconcile_runs WHERE scope = ${scope} AND ended_at > now() - make_interval(secs => ${seconds}))`;
  const { rows } = await sql<DueJobs>`
    SELECT ${endedHold} AS holds,
      EXISTS (SELECT FROM copies_aside WHERE is_due) AS wants,
      EXISTS (SELECT FROM shelf_pauses WHERE returns_at <= shop_now() OR ended_at IS NOT NULL) AS shelves,
      EXISTS (SELECT FROM suspensions WHERE ended_at IS NULL AND until <= shop_now()) AS suspensions,
      ${endedHold} OR EXISTS (SELECT FROM refunds WHERE state = 'requested')
        OR EXISTS (SELECT FROM payment_intents WHERE state = 'live' AND stopped_at IS NOT NULL) AS provider,
      EXISTS (SELECT FROM outbox WHERE sent_at IS NULL AND dead_at IS NULL AND next_try_at <= now()) AS mail,
      EXISTS (SELECT FROM reset_requests) AS resets,
      EXISTS (SELECT FROM orders WHERE due_at <= shop_now())
        OR EXISTS (SELECT FROM order_reminders WHERE at <= shop_now())
        OR NOT EXISTS (SELECT FROM order_heartbeat WHERE at > now() - interval '1 minute') AS orders,
      EXISTS (SELECT FROM payout_accounts WHERE look_at <= shop_now())
        OR EXISTS (SELECT FROM payout_accounts WHERE account_id IS NOT NULL AND checked_at IS NULL)
        OR EXISTS (SELECT FROM payouts WHERE state = 'asked' AND way = 'connect')
        OR EXISTS (SELECT FROM payout_reversals WHERE state = 'asked') AS payouts,
      EXISTS (SELECT FROM photos WHERE keep_until < now())
        OR EXISTS (SELECT FROM photo_files WHERE keep_until <= now()) AS photos,
      EXISTS (SELECT FROM photo_store_turn WHERE next_at <= now()) AS strays,
      EXISTS (SELECT FROM picture_fetches WHERE next_try_at <= now()) AS pictures,
      EXISTS (SELECT FROM portrait_fetches WHERE next_try_at <= now()) AS portraits,
      EXISTS (SELECT FROM stock_files
        WHERE state IN ('reading', 'comparing', 'committing', 'undoing') AND edit IS NULL) AS stock,
      EXISTS (SELECT FROM stock_files WHERE state IN ('committing', 'undoing') AND edit IS NOT NULL) AS edits,
      EXISTS (SELECT FROM webhook_deliveries WHERE state = 'waiting' AND next_at <= now()) AS webhooks,
      EXISTS (SELECT FROM reviews AS r WHERE r.state = 'open' AND r.shown_at IS NULL
        AND (r.written_at <= shop_now() - make_interval(days => ${REVIEW_SHOWN_DAYS}::integer)
          OR EXISTS (SELECT FROM reviews AS o WHERE o.order_id = r.order_id AND o.by <> r.by))) AS reviews,
      NOT (${isCompared('unpaid', every.unpaidSeconds)} AND ${isCompared('all', every.allSeconds)}) AS reconciliation`.execute(
    db,
  );
  return rows[0];
};
