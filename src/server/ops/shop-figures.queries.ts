import { sql } from 'kysely';
import type { Db } from '#server/platform/db.ts';

/** What the database tells of the shop; ages in seconds, 0 where there is nothing to be old. */
export interface ShopFigures {
  readonly outboxWaiting: number;
  readonly outboxOldest: number;
  readonly outboxDead: number;
  readonly holds: number;
  readonly holdOverdue: number;
  readonly paymentsDay: number;
  readonly centsDay: number;
  readonly missedPaymentsDay: number;
  readonly openDifferences: number;
  readonly reconciledUnpaidAgo: number;
  readonly reconciledAllAgo: number;
  readonly listings: number;
  readonly users: number;
}

/** All figures in one statement. Whole tables are not counted: listings and users are as many as the planner thinks. */
export const readShopFigures = async (db: Db): Promise<ShopFigures> => {
  const { rows } = await sql<ShopFigures>`
    SELECT
      (SELECT count(*) FROM outbox WHERE sent_at IS NULL AND dead_at IS NULL)::int AS "outboxWaiting",
      (SELECT coalesce(extract(epoch FROM now() - min(queued_at)), 0) FROM outbox
        WHERE sent_at IS NULL AND dead_at IS NULL)::float8 AS "outboxOldest",
      (SELECT count(*) FROM outbox WHERE dead_at > now() - interval '1 day')::int AS "outboxDead",
      (SELECT count(*) FROM holds)::int AS holds,
      (SELECT coalesce(greatest(extract(epoch FROM now() - min(expires_at)), 0), 0) FROM holds)::float8 AS "holdOverdue",
      (SELECT count(*) FROM payments WHERE created_at > now() - interval '1 day')::int AS "paymentsDay",
      (SELECT coalesce(sum(amount_cents), 0) FROM payments WHERE created_at > now() - interval '1 day')::float8 AS "centsDay",
      (SELECT count(*) FROM money_differences
        WHERE kind = 'missed-payment' AND found_at > now() - interval '1 day')::int AS "missedPaymentsDay",
      (SELECT count(*) FROM money_differences WHERE mended_at IS NULL)::int AS "openDifferences",
      (SELECT coalesce(extract(epoch FROM now() - max(ended_at)), 0) FROM reconcile_runs
        WHERE scope = 'unpaid')::float8 AS "reconciledUnpaidAgo",
      (SELECT coalesce(extract(epoch FROM now() - max(ended_at)), 0) FROM reconcile_runs
        WHERE scope = 'all')::float8 AS "reconciledAllAgo",
      (SELECT greatest(reltuples, 0) FROM pg_class WHERE oid = 'listings'::regclass)::float8 AS listings,
      (SELECT greatest(reltuples, 0) FROM pg_class WHERE oid = 'users'::regclass)::float8 AS users`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('the figures of the shop have a row');
  return row;
};
