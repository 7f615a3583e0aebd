import { gauge, type Family } from '#server/platform/metrics.ts';
import type { ShopFigures } from './shop-figures.queries.ts';

/** The connections of a pool, by who uses it. */
export const poolFamily = (use: string, pool: { busy: number; idle: number; waiting: number }): Family =>
  gauge(
    'dogear_pool_connections',
    'Connections to the database by state; `waiting` is who waits for one.',
    Object.entries(pool).map(([state, value]) => ({ labels: { use, state }, value })),
  );

/** What the database tells of the shop. */
export const shopFamilies = (figures: ShopFigures): Family[] => [
  gauge('dogear_outbox_waiting', 'Mails that have not left yet.', figures.outboxWaiting),
  gauge('dogear_outbox_oldest_seconds', 'Age of the oldest of them.', figures.outboxOldest),
  gauge('dogear_outbox_dead', 'Mails given up within a day.', figures.outboxDead),
  gauge('dogear_holds', 'Copies that are held.', figures.holds),
  gauge('dogear_hold_overdue_seconds', 'How long the oldest hold should have ended.', figures.holdOverdue),
  gauge('dogear_payments_day', 'Payments within a day.', figures.paymentsDay),
  gauge('dogear_payments_day_cents', 'Cents of them.', figures.centsDay),
  gauge(
    'dogear_missed_payments_day',
    'Of them, those that only the comparison with the provider told of.',
    figures.missedPaymentsDay,
  ),
  gauge(
    'dogear_money_differences_open',
    'Differences between the books and the provider that nobody mended.',
    figures.openDifferences,
  ),
  gauge('dogear_reconcile_age_seconds', 'Since the books were last compared with the provider, by scope.', [
    { labels: { scope: 'unpaid' }, value: figures.reconciledUnpaidAgo },
    { labels: { scope: 'all' }, value: figures.reconciledAllAgo },
  ]),
  gauge('dogear_listings', 'Listings, as many as the planner thinks.', figures.listings),
  gauge('dogear_users', 'Users, as many as the planner thinks.', figures.users),
];
