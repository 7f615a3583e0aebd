import { sql } from 'kysely';
import { SHOP_NOW } from '#server/platform/postgres/clock.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';

export interface IdentityRow {
  readonly askedAt: Date | null;
  readonly confirmedAt: Date | null;
  readonly pausedAt: Date | null;
  readonly reason: string;
}

export const findIdentity = (db: Db, userId: string): Promise<IdentityRow | undefined> =>
  db
    .selectFrom('seller_identities')
    .select(['asked_at as askedAt', 'confirmed_at as confirmedAt', 'paused_at as pausedAt', 'reason'])
    .where('user_id', '=', userId)
    .executeTakeFirst();

/** Books that were sold within a year and stand, and what was paid for them, in cents. */
const soldOf = (seller: string) =>
  sql.raw(`SELECT count(*)::integer AS sales, coalesce(sum(b.price_cents), 0)::float8 AS cents
    FROM orders AS o JOIN bookings AS b ON b.order_id = o.id
    WHERE o.seller_id = ${seller} AND o.created_at > shop_now() - interval '1 year' AND b.refunded_at IS NULL`);

export const readSoldInAYear = async (db: Db, userId: string): Promise<{ sales: number; cents: number }> => {
  const { rows } = await sql<{
    sales: number;
    cents: number;
  }>`SELECT s.* FROM users AS u, LATERAL (${soldOf('u.id')}) AS s WHERE u.id = ${userId}`.execute(db);
  return rows[0] ?? { sales: 0, cents: 0 };
};

/** A seller of whom the shop must know, or pause, something. */
export interface Asked {
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  /** Whether the payment provider knows who they are. */
  readonly isKnown: boolean;
}

/**
 * Writes down who has sold so much since the last time; whom the payment provider knows is confirmed at once. Looks
 * only at those whose ended orders are that many already.
 */
export const insertDueIdentities = async (
  trx: Trx,
  { sales, cents, limit }: { sales: number; cents: number; limit: number },
): Promise<Asked[]> => {
  const { rows } = await sql<Asked>`
    WITH due AS (
      SELECT u.id, u.email, u.name, coalesce(a.status = 'active', false) AS known
      FROM seller_records AS r JOIN users AS u ON u.id = r.seller_id AND u.deleted_at IS NULL
      LEFT JOIN payout_accounts AS a ON a.seller_id = u.id
      CROSS JOIN LATERAL (${soldOf('u.id')}) AS s
      WHERE r.orders >= ${Math.floor(sales / 2)}
        AND NOT EXISTS (SELECT FROM seller_identities AS i WHERE i.user_id = u.id)
        AND s.sales >= ${sales} AND s.cents >= ${cents}
      LIMIT ${limit}),
    made AS (
      INSERT INTO seller_identities (user_id, asked_at, confirmed_at, reason)
      SELECT id, ${SHOP_NOW}, CASE WHEN known THEN ${SHOP_NOW} END,
        CASE WHEN known THEN 'The payment provider knows who they are' ELSE '' END FROM due
      ON CONFLICT DO NOTHING RETURNING user_id)
    SELECT due.id AS "userId", due.email, due.name, due.known AS "isKnown" FROM due JOIN made ON made.user_id = due.id`.execute(
    trx,
  );
  return rows;
};

/** Confirms whom the payment provider came to know meanwhile; answers who. */
export const confirmKnown = async (trx: Trx): Promise<Asked[]> => {
  const { rows } = await sql<Asked>`
    UPDATE seller_identities AS i SET confirmed_at = ${SHOP_NOW}, reason = 'The payment provider knows who they are'
    FROM payout_accounts AS a, users AS u
    WHERE i.confirmed_at IS NULL AND a.seller_id = i.user_id AND a.status = 'active' AND u.id = i.user_id
    RETURNING u.id AS "userId", u.email, u.name, true AS "isKnown"`.execute(trx);
  return rows;
};

/** Has payouts wait of whom the shop does not know `days` after it asked; answers of whom. */
export const pauseUnknown = async (trx: Trx, days: number): Promise<Asked[]> => {
  const { rows } = await sql<Asked>`
    UPDATE seller_identities AS i SET paused_at = ${SHOP_NOW} FROM users AS u
    WHERE i.confirmed_at IS NULL AND i.paused_at IS NULL AND u.id = i.user_id
      AND i.asked_at <= ${SHOP_NOW} - make_interval(days => ${days}::integer)
    RETURNING u.id AS "userId", u.email, u.name, false AS "isKnown"`.execute(trx);
  return rows;
};

/** An admin knows who somebody is; false where that was known. */
export const confirmByAdmin = async (
  trx: Trx,
  { userId, actorId, reason }: { userId: string; actorId: string; reason: string },
): Promise<boolean> => {
  const { rows } = await sql`
    INSERT INTO seller_identities AS i (user_id, confirmed_at, confirmed_by, reason)
    VALUES (${userId}, ${SHOP_NOW}, ${actorId}, ${reason})
    ON CONFLICT (user_id) DO UPDATE SET confirmed_at = excluded.confirmed_at, confirmed_by = excluded.confirmed_by,
      reason = excluded.reason WHERE i.confirmed_at IS NULL
    RETURNING 1`.execute(trx);
  return rows.length > 0;
};
