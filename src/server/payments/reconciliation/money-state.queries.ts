import { sql } from 'kysely';
import type { PaymentShown, PaymentsSort } from '#contract/money/money-admin.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { beyond, keyText, orderText, type Order, type SortedPosition } from '#server/platform/sorted-cursor.ts';

/** The orders of the payments, each by an index of its own. */
export const PAYMENT_ORDERS = {
  newest: { kind: 'time', key: 'p.created_at', way: 'DESC' },
  oldest: { kind: 'time', key: 'p.created_at', way: 'ASC' },
  'amount-up': { kind: 'number', key: 'p.amount_cents', way: 'ASC' },
  'amount-down': { kind: 'number', key: 'p.amount_cents', way: 'DESC' },
} as const satisfies Record<PaymentsSort, Order>;

/** Mail that waits to be sent, and mail that was given up. */
export const readMailState = (db: Db): Promise<{ unsent: number; oldestUnsentAt: Date | null; dead: number }> =>
  db
    .selectFrom('outbox')
    .select([
      sql<number>`(count(*) FILTER (WHERE dead_at IS NULL))::integer`.as('unsent'),
      sql<Date | null>`min(queued_at) FILTER (WHERE dead_at IS NULL)`.as('oldestUnsentAt'),
      sql<number>`(count(*) FILTER (WHERE dead_at IS NOT NULL))::integer`.as('dead'),
    ])
    .where('sent_at', 'is', null)
    .executeTakeFirstOrThrow();

export const countOpenRefunds = async (db: Db): Promise<number> => {
  const row = await db
    .selectFrom('refunds')
    .select(sql<number>`count(*)::integer`.as('count'))
    .where('state', 'in', ['requested', 'pending'])
    .executeTakeFirstOrThrow();
  return row.count;
};

const paymentRows = (db: Db) =>
  db
    .selectFrom('payments as p')
    .innerJoin('bookings as b', 'b.id', 'p.booking_id')
    .innerJoin('listings as l', 'l.id', 'b.listing_id')
    .innerJoin('users as s', 's.id', 'l.seller_id')
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('refunds')
          .select('state')
          .whereRef('payment_id', '=', 'p.id')
          .orderBy(sql`state = 'done'`)
          .orderBy('n', 'desc')
          .limit(1)
          .as('r'),
      (join) => join.onTrue(),
    )
    .select([
      'p.id as _id',
      'p.id as id',
      'b.id as bookingId',
      'l.id as listingId',
      'b.title',
      'b.buyer_name as buyer',
      's.name as seller',
      sql<number>`p.amount_cents / 100.0::float8`.as('amount'),
      sql<number>`p.refunded_cents / 100.0::float8`.as('refunded'),
      'p.provider_id as transactionId',
      sql<string>`to_char(p.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`.as('at'),
      sql<PaymentShown['state']>`CASE
        WHEN p.outcome = 'returned' AND r.state = 'failed' THEN 'return-refused'
        WHEN p.outcome = 'returned' THEN 'returned'
        WHEN p.refunded_cents = p.amount_cents AND r.state IS DISTINCT FROM 'failed' THEN 'refunded'
        WHEN EXISTS (SELECT FROM dispute_shares s JOIN disputes d ON d.id = s.dispute_id
          WHERE s.payment_id = p.id AND d.state <> 'won') THEN 'disputed'
        WHEN r.state IN ('requested', 'pending') THEN 'refunding'
        WHEN r.state = 'failed' THEN 'refused'
        ELSE 'paid' END`.as('state'),
      'l.status as copy',
      sql<boolean>`p.outcome = 'sale' AND b.refunded_at IS NOT NULL AND l.status = 'sold' AND NOT EXISTS (
        SELECT FROM bookings o WHERE o.listing_id = l.id AND o.paid_at IS NOT NULL AND o.refunded_at IS NULL)`.as(
        'undecided',
      ),
    ]);

export type PaymentRow = Awaited<ReturnType<ReturnType<typeof paymentRows>['execute']>>[number];

/** Payments in their order, one more than the page holds; each with what it is ordered by. */
export const listPaymentRows = (
  db: Db,
  { limit, sort, after }: { limit: number; sort: PaymentsSort; after: SortedPosition | undefined },
): Promise<(PaymentRow & { key: string })[]> => {
  const order = PAYMENT_ORDERS[sort];
  const query = paymentRows(db).select(sql<string>`${sql.raw(keyText(order))}`.as('key'));
  return (after === undefined ? query : query.where(beyond(order, 'p', after)))
    .orderBy(sql.raw(orderText(order, 'p')))
    .limit(limit + 1)
    .execute();
};
