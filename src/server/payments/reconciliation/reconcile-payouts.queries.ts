import { sql } from 'kysely';
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
