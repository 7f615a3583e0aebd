import { sql } from 'kysely';
import { REAL_NOW } from '#server/platform/postgres/clock.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';
import type { PayoutState } from './payouts.table.ts';

/** Money of an order that is to go to its seller. */
export interface Payout {
  readonly id: string;
  readonly sellerId: string;
  /** Null for what belongs to no order. */
  readonly orderId: string | null;
  /** One of the order's bookings, by which statements name it. */
  readonly bookingId: string | null;
  readonly n: number;
  readonly cents: number;
  readonly accountId: string | null;
  readonly state: PayoutState;
  readonly providerId: string | null;
  readonly reversedCents: number;
  /** In real time. */
  readonly writtenAt: Date;
  /** The intent that paid the order and whose charge it is taken from; null where it is taken from none. */
  readonly intentId: string | null;
  readonly title: string;
}

const payouts = (db: Db) =>
  db.selectFrom('payouts as p').select([
    'p.id',
    'p.seller_id as sellerId',
    'p.order_id as orderId',
    sql<string | null>`(SELECT min(b.id::text) FROM bookings b WHERE b.order_id = p.order_id)`.as('bookingId'),
    'p.n',
    'p.amount_cents as cents',
    'p.account_id as accountId',
    'p.state',
    'p.provider_id as providerId',
    'p.reversed_cents as reversedCents',
    'p.written_at as writtenAt',
    sql<string | null>`CASE WHEN p.from_charge THEN (SELECT min(m.provider_id) FROM bookings b
        JOIN payments m ON m.booking_id = b.id WHERE b.order_id = p.order_id AND m.outcome = 'sale') END`.as(
      'intentId',
    ),
    sql<string>`coalesce((SELECT string_agg(b.title, ', ' ORDER BY b.id) FROM bookings b WHERE b.order_id = p.order_id), '')`.as(
      'title',
    ),
  ]);

export const findPayout = (db: Db, id: string): Promise<Payout | undefined> =>
  payouts(db).where('p.id', '=', id).executeTakeFirst();

/** The payouts of a seller that were sent and of which something could be taken back, the newest first. */
export const listReversible = (trx: Trx, sellerId: string): Promise<Payout[]> =>
  payouts(trx)
    .where('p.seller_id', '=', sellerId)
    .where('p.state', '=', 'sent')
    .where('p.way', '=', 'connect')
    .where(sql<boolean>`p.reversed_cents < p.amount_cents`)
    .orderBy('p.created_at', 'desc')
    .execute();

/** Writes a payout down before the provider is asked. The caller has locked what its seller is due. */
export const insertPayout = async (
  trx: Trx,
  payout: { sellerId: string; orderId: string | null; cents: number; accountId: string },
): Promise<Payout> => {
  const { sellerId, orderId, cents, accountId } = payout;
  const { id } = await trx
    .insertInto('payouts')
    .values({
      seller_id: sellerId,
      order_id: orderId,
      n: sql<number>`(SELECT coalesce(max(n), 0) + 1 FROM payouts
        WHERE coalesce(order_id, seller_id) = ${orderId ?? sellerId}::uuid)`,
      way: 'connect',
      // A charge gives no more than it was, whatever of it came back meanwhile.
      from_charge: sql<boolean>`${cents}::integer + (SELECT coalesce(sum(amount_cents), 0) FROM payouts
          WHERE order_id = ${orderId}::uuid AND state = 'sent')
        <= (SELECT coalesce(sum(m.amount_cents), 0) FROM bookings b JOIN payments m ON m.booking_id = b.id
          WHERE b.order_id = ${orderId}::uuid AND m.outcome = 'sale')`,
      amount_cents: cents,
      account_id: accountId,
      provider_id: null,
      refusal_code: null,
      refusal_words: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return payouts(trx).where('p.id', '=', id).executeTakeFirstOrThrow();
};

/** The refusal of a payout to an account that is below zero, which only its bank or its next sales lift. */
export const BELOW_ZERO = 'account_below_zero';
/** Such an account is looked at again so much later than other refusals. */
const BELOW_ZERO_PAUSES = 72;

/** What stands in the way of paying an order out: for good, or until an instant by the shop's clock. */
export interface Obstacle {
  readonly orderId: string;
  /** Null: until something about it is posted. */
  readonly until: Date | null;
}

/**
 * Orders of a seller of which nothing is paid out now: a bank decides about them, a payout is asked for, or the last
 * one was refused less than `pauseSeconds` ago (many of these where the account is below zero), and the account was
 * ready then already.
 */
export const listObstacles = async (trx: Trx, sellerId: string, pauseSeconds: number): Promise<Obstacle[]> => {
  const { rows } = await sql<Obstacle>`
    SELECT b.order_id AS "orderId", NULL::timestamptz AS until
    FROM disputes d JOIN dispute_shares s ON s.dispute_id = d.id JOIN payments p ON p.id = s.payment_id
      JOIN bookings b ON b.id = p.booking_id
    WHERE d.state = 'open' AND b.seller_id = ${sellerId} AND b.order_id IS NOT NULL
    UNION ALL
    SELECT coalesce(order_id, seller_id), NULL FROM payouts WHERE seller_id = ${sellerId} AND state = 'asked'
    UNION ALL
    SELECT coalesce(p.order_id, p.seller_id), p.settled_at + pause.length
    FROM payouts p JOIN payout_accounts a ON a.seller_id = p.seller_id
      CROSS JOIN LATERAL (SELECT make_interval(secs => ${pauseSeconds}
        * CASE p.refusal_code WHEN ${BELOW_ZERO} THEN ${BELOW_ZERO_PAUSES}::integer ELSE 1 END) AS length) AS pause
    WHERE p.seller_id = ${sellerId} AND p.state = 'refused' AND p.settled_at > coalesce(a.ready_at, '-infinity')
      AND p.settled_at + pause.length > shop_now()`.execute(trx);
  return rows;
};

/** Takes payouts that nobody asked the provider for within `leaseSeconds`; `wasAsked`: somebody had begun to. */
export const takeAskedPayouts = async (
  db: Db,
  leaseSeconds: number,
  limit: number,
): Promise<{ id: string; wasAsked: boolean }[]> => {
  const { rows } = await sql<{ id: string; wasAsked: boolean }>`
    UPDATE payouts AS p SET asked_at = ${REAL_NOW} FROM (
      SELECT id, asked_at FROM payouts WHERE state = 'asked' AND way = 'connect'
        AND (asked_at IS NULL OR asked_at < ${REAL_NOW} - make_interval(secs => ${leaseSeconds}))
      ORDER BY created_at LIMIT ${limit} FOR UPDATE SKIP LOCKED) AS was
    WHERE p.id = was.id
    RETURNING p.id, was.asked_at IS NOT NULL AS "wasAsked"`.execute(db);
  return rows;
};

/** Ends an asked payout; false when it was ended before. */
export const settlePayout = async (
  trx: Trx,
  id: string,
  end: { state: 'sent'; providerId: string } | { state: 'refused'; code: string; words: string },
): Promise<boolean> => {
  const result = await trx
    .updateTable('payouts')
    .set({
      state: end.state,
      settled_at: sql<Date>`shop_now()`,
      ...(end.state === 'sent'
        ? { provider_id: end.providerId }
        : { refusal_code: end.code, refusal_words: end.words.slice(0, 500) }),
    })
    .where('id', '=', id)
    .where('state', '=', 'asked')
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
};
