import { sql } from 'kysely';
import type { Db } from '#server/platform/postgres/db.ts';

export interface PersonNumbers {
  readonly sellerSlug: string;
  readonly emailProven: boolean;
  readonly onShelf: number;
  readonly paused: number;
  readonly sold: number;
  readonly removed: number;
  readonly boughtOrders: number;
  readonly boughtOpen: number;
  readonly paidCents: number;
  readonly refundedCents: number;
  readonly boughtDisputes: number;
  readonly soldOrders: number;
  readonly soldOpen: number;
  readonly takenCents: number;
  readonly dueCents: number;
  readonly soldDisputes: number;
  readonly reportsAbout: number;
  readonly reportsUpheld: number;
  readonly reportsBy: number;
}

const copies = (states: string) =>
  sql.raw(`(SELECT count(*)::integer FROM listings WHERE seller_id = u.id
  AND status IN (${states}))`);
const orders = (side: 'buyer' | 'seller', more: string) =>
  sql.raw(`(SELECT count(*)::integer FROM orders WHERE ${side}_id = u.id ${more})`);
const paid = (side: 'buyer' | 'seller', column: string) =>
  sql.raw(`(SELECT coalesce(sum(p.${column}), 0)::float8
  FROM payments AS p JOIN bookings AS b ON b.id = p.booking_id WHERE b.${side}_id = u.id AND p.outcome = 'sale')`);
const disputes = (side: 'buyer' | 'seller') =>
  sql.raw(`(SELECT count(*)::integer FROM disputes AS d
  JOIN payments AS p ON p.id = d.payment_id JOIN bookings AS b ON b.id = p.booking_id WHERE b.${side}_id = u.id)`);

/** What is counted of somebody; undefined for whom there is not. */
export const readNumbers = async (db: Db, userId: string): Promise<PersonNumbers | undefined> => {
  const { rows } = await sql<PersonNumbers>`SELECT coalesce(u.seller_slug, '') AS "sellerSlug",
      u.email_proven_at IS NOT NULL AS "emailProven",
      ${copies("'available', 'held'")} AS "onShelf", ${copies("'paused'")} AS paused, ${copies("'sold'")} AS sold,
      ${copies("'withdrawn'")} AS removed,
      ${orders('buyer', '')} AS "boughtOrders", ${orders('buyer', 'AND closed_at IS NULL')} AS "boughtOpen",
      ${paid('buyer', 'amount_cents')} AS "paidCents", ${paid('buyer', 'refunded_cents')} AS "refundedCents",
      ${disputes('buyer')} AS "boughtDisputes",
      ${orders('seller', '')} AS "soldOrders", ${orders('seller', 'AND closed_at IS NULL')} AS "soldOpen",
      ${paid('seller', 'amount_cents')} AS "takenCents",
      (SELECT coalesce(-sum(amount_cents), 0)::float8 FROM ledger_entries
        WHERE seller_id = u.id AND account = 'seller') AS "dueCents",
      ${disputes('seller')} AS "soldDisputes",
      (SELECT count(*)::integer FROM report_cases WHERE user_id = u.id) AS "reportsAbout",
      (SELECT count(*)::integer FROM report_cases WHERE user_id = u.id AND decision <> 'no-fault'
        AND appeal_upheld IS DISTINCT FROM false) AS "reportsUpheld",
      (SELECT count(*)::integer FROM reports WHERE reporter_id = u.id) AS "reportsBy"
    FROM users AS u WHERE u.id = ${userId} AND u.deleted_at IS NULL`.execute(db);
  return rows[0];
};

export interface PersonOrder {
  readonly id: string;
  readonly side: 'buyer' | 'seller';
  readonly other: string;
  readonly titles: readonly string[];
  readonly state: string;
  readonly at: Date;
}

/** Their orders on both sides, the newest first. */
export const listOrdersOf = async (db: Db, userId: string, limit: number): Promise<PersonOrder[]> => {
  const { rows } =
    await sql<PersonOrder>`SELECT o.id, CASE WHEN o.buyer_id = ${userId} THEN 'buyer' ELSE 'seller' END AS side,
      w.name AS other, ARRAY(SELECT b.title FROM bookings AS b WHERE b.order_id = o.id ORDER BY b.created_at, b.id) AS titles,
      o.state, o.created_at AS at
    FROM orders AS o JOIN users AS w ON w.id = CASE WHEN o.buyer_id = ${userId} THEN o.seller_id ELSE o.buyer_id END
    WHERE o.buyer_id = ${userId} OR o.seller_id = ${userId}
    ORDER BY o.created_at DESC, o.id DESC LIMIT ${limit}`.execute(db);
  return rows;
};

/** Others whose payouts go to the same account of a bank. */
export const listSameBank = async (db: Db, userId: string): Promise<{ id: string; name: string }[]> => {
  const { rows } = await sql<{ id: string; name: string }>`SELECT u.id, u.name FROM payout_details AS d
    JOIN payout_details AS o ON o.fingerprint = d.fingerprint AND o.seller_id <> d.seller_id
    JOIN users AS u ON u.id = o.seller_id WHERE d.seller_id = ${userId} ORDER BY u.name LIMIT 20`.execute(db);
  return rows;
};
