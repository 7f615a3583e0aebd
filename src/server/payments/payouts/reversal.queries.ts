import { sql } from 'kysely';
import { REAL_NOW } from '#server/platform/postgres/clock.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';

/** Money of a payout that is asked back. */
export interface Reversal {
  readonly id: string;
  readonly payoutId: string;
  readonly n: number;
  readonly cents: number;
  readonly state: 'asked' | 'done' | 'refused';
}

const COLUMNS = ['id', 'payout_id as payoutId', 'n', 'amount_cents as cents', 'state'] as const;

export const findReversal = (db: Db, id: string): Promise<Reversal | undefined> =>
  db.selectFrom('payout_reversals').select(COLUMNS).where('id', '=', id).executeTakeFirst();

/** Writes down that money of a payout is asked back, before the provider is. */
export const insertReversal = async (trx: Trx, payoutId: string, cents: number): Promise<void> => {
  await trx
    .insertInto('payout_reversals')
    .values({
      payout_id: payoutId,
      n: sql<number>`(SELECT coalesce(max(n), 0) + 1 FROM payout_reversals WHERE payout_id = ${payoutId})`,
      amount_cents: cents,
      provider_id: null,
      refusal_code: null,
      refusal_words: null,
    })
    .execute();
};

/**
 * Payouts of a seller of which nothing is asked back now: something is, or it was refused, and no other payout was sent
 * to them since.
 */
export const listHopeless = async (trx: Trx, sellerId: string): Promise<Set<string>> => {
  const { rows } = await sql<{ id: string }>`
    SELECT r.payout_id AS id FROM payout_reversals r JOIN payouts p ON p.id = r.payout_id
    WHERE p.seller_id = ${sellerId} AND (r.state = 'asked' OR (r.state = 'refused' AND NOT EXISTS (
      SELECT FROM payouts s WHERE s.seller_id = p.seller_id AND s.state = 'sent' AND s.settled_at > r.settled_at)))`.execute(
    trx,
  );
  return new Set(rows.map(({ id }) => id));
};

/** Orders of a seller of which a refund was decided that the provider was not asked for yet: that comes first. */
export const listUnsentRefunds = async (trx: Trx, sellerId: string): Promise<Set<string>> => {
  const { rows } = await sql<{ orderId: string }>`
    SELECT DISTINCT b.order_id AS "orderId" FROM refunds r JOIN payments p ON p.id = r.payment_id
      JOIN bookings b ON b.id = p.booking_id
    WHERE r.state = 'requested' AND b.seller_id = ${sellerId} AND b.order_id IS NOT NULL`.execute(trx);
  return new Set(rows.map(({ orderId }) => orderId));
};

/** Takes reversals that nobody asked the provider for within `leaseSeconds`; `wasAsked`: somebody had begun to. */
export const takeAskedReversals = async (
  db: Db,
  leaseSeconds: number,
  limit: number,
): Promise<{ id: string; wasAsked: boolean }[]> => {
  const { rows } = await sql<{ id: string; wasAsked: boolean }>`
    UPDATE payout_reversals AS r SET asked_at = ${REAL_NOW} FROM (
      SELECT id, asked_at FROM payout_reversals WHERE state = 'asked'
        AND (asked_at IS NULL OR asked_at < ${REAL_NOW} - make_interval(secs => ${leaseSeconds}))
      ORDER BY created_at LIMIT ${limit} FOR UPDATE SKIP LOCKED) AS was
    WHERE r.id = was.id
    RETURNING r.id, was.asked_at IS NOT NULL AS "wasAsked"`.execute(db);
  return rows;
};

/** What is there to be taken back is less than was wanted: nobody has asked for more yet. */
export const lowerReversal = async (db: Db, id: string, cents: number): Promise<void> => {
  await db
    .updateTable('payout_reversals')
    .set({ amount_cents: cents })
    .where('id', '=', id)
    .where('state', '=', 'asked')
    .execute();
};

/** Ends an asked reversal; false when it was ended before. */
export const settleReversal = async (
  trx: Trx,
  reversal: Reversal,
  end: { state: 'done'; providerId: string } | { state: 'refused'; code: string; words: string },
): Promise<boolean> => {
  const result = await trx
    .updateTable('payout_reversals')
    .set({
      state: end.state,
      settled_at: sql<Date>`shop_now()`,
      ...(end.state === 'done'
        ? { provider_id: end.providerId }
        : { refusal_code: end.code, refusal_words: end.words.slice(0, 500) }),
    })
    .where('id', '=', reversal.id)
    .where('state', '=', 'asked')
    .executeTakeFirst();
  if (result.numUpdatedRows === 0n) return false;
  if (end.state === 'refused') return true;
  await trx
    .updateTable('payouts')
    .set((eb) => ({ reversed_cents: eb('reversed_cents', '+', reversal.cents) }))
    .where('id', '=', reversal.payoutId)
    .execute();
  return true;
};
