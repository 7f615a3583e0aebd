import { sql } from 'kysely';
import { REAL_NOW, SHOP_NOW } from '#server/platform/postgres/clock.ts';
import type { Db } from '#server/platform/postgres/db.ts';

/** When the first payout was written down, by the real clock; undefined before there was one. */
export const firstPayoutAt = async (db: Db): Promise<Date | undefined> => {
  const row = await db
    .selectFrom('payouts')
    .select((eb) => eb.fn.min('written_at').as('at'))
    .where('way', '=', 'connect')
    .executeTakeFirst();
  return row?.at ?? undefined;
};

/**
 * When money was first released to a seller, by the real clock or before that; undefined before there was any. What the
 * shop's clock was ahead then is no more than it is now.
 */
export const firstReleaseAt = async (db: Db): Promise<Date | undefined> => {
  const { rows } = await sql<{ at: Date | null }>`
    SELECT min(posted_at) - (${SHOP_NOW} - ${REAL_NOW}) AS at FROM ledger_transactions WHERE kind = 'release'`.execute(
    db,
  );
  return rows[0]?.at ?? undefined;
};

/** Transfers that the books have, by the provider's id, after the one named. */
export const listSentTransfers = async (
  db: Db,
  page: { after: string | undefined; limit: number },
): Promise<string[]> => {
  const rows = await db
    .selectFrom('payouts')
    .select(sql<string>`provider_id`.as('id'))
    .where('state', '=', 'sent')
    .where('way', '=', 'connect')
    .where('provider_id', 'is not', null)
    .$if(page.after !== undefined, (query) => query.where('provider_id', '>', page.after ?? ''))
    .orderBy('provider_id')
    .limit(page.limit)
    .execute();
  return rows.map(({ id }) => id);
};

/** Payouts by hand of which nobody has said for so many days what the bank did, the oldest first. */
export const listUnmarked = async (
  db: Db,
  days: number,
  limit: number,
): Promise<{ id: string; name: string; cents: number }[]> =>
  db
    .selectFrom('payouts as p')
    .innerJoin('users as u', 'u.id', 'p.seller_id')
    .select(['p.id', 'u.name', 'p.amount_cents as cents'])
    .where('p.way', '=', 'manual')
    .where('p.state', '=', 'asked')
    .where('p.created_at', '<', sql<Date>`shop_now() - make_interval(days => ${days})`)
    .orderBy('p.created_at')
    .limit(limit)
    .execute();
