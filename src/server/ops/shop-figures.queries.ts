import { sql } from 'kysely';
import type { Db } from '#server/platform/postgres/db.ts';

/** What the database tells of the shop: one number, and what its name means. */
export interface Figure {
  readonly name: string;
  readonly help: string;
  readonly labels: Record<string, string>;
  readonly value: number;
}

const compared = (scope: 'unpaid' | 'all') => sql`('reconcile_age_seconds',
  'Since the books were last compared with the provider, by scope.', jsonb_build_object('scope', ${sql.lit(scope)}),
  (SELECT extract(epoch FROM now() - max(ended_at)) FROM reconcile_runs WHERE scope = ${sql.lit(scope)}))`;

/** All figures in one statement; ages in seconds, 0 where there is nothing to be old. Whole tables are not counted. */
export const listShopFigures = async (db: Db): Promise<Figure[]> => {
  const { rows } = await sql<Figure>`
    WITH mails AS (SELECT count(*), min(queued_at) AS since FROM outbox WHERE sent_at IS NULL AND dead_at IS NULL),
      paid AS (SELECT count(*), sum(amount_cents) AS cents FROM payments WHERE created_at > shop_now() - interval '1 day')
    SELECT 'dogear_' || name AS name, help, labels, greatest(coalesce(value, 0), 0)::float8 AS value FROM (VALUES
      ('outbox_waiting', 'Mails that have not left yet.', '{}'::jsonb, (SELECT count FROM mails)::numeric),
      ('outbox_oldest_seconds', 'Age of the oldest of them.', '{}', (SELECT extract(epoch FROM now() - since) FROM mails)),
      ('outbox_dead', 'Mails given up within a day.', '{}',
        (SELECT count(*) FROM outbox WHERE dead_at > now() - interval '1 day')),
      ('holds', 'Copies that are held.', '{}', (SELECT count(*) FROM holds)),
      ('hold_overdue_seconds', 'How long the oldest hold should have ended.', '{}',
        (SELECT extract(epoch FROM shop_now() - min(expires_at)) FROM holds)),
      ('payments_day', 'Payments within a day.', '{}', (SELECT count FROM paid)),
      ('payments_day_cents', 'Cents of them.', '{}', (SELECT cents FROM paid)),
      ('missed_payments_day', 'Of them, those that only the comparison with the provider told of.', '{}',
        (SELECT count(*) FROM money_differences
          WHERE kind = 'missed-payment' AND found_at > now() - interval '1 day')),
      ('money_differences_open', 'Differences between the books and the provider that nobody mended.', '{}',
        (SELECT count(*) FROM money_differences WHERE mended_at IS NULL)),
      ${compared('unpaid')}, ${compared('all')},
      ('listings', 'Listings, as many as the planner thinks.', '{}',
        (SELECT reltuples FROM pg_class WHERE oid = 'listings'::regclass)::numeric),
      ('users', 'Users, as many as the planner thinks.', '{}',
        (SELECT reltuples FROM pg_class WHERE oid = 'users'::regclass)::numeric)
    ) AS figures (name, help, labels, value)`.execute(db);
  return rows;
};
