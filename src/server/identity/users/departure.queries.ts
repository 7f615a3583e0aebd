import { sql } from 'kysely';
import type { Db, Trx } from '#server/platform/postgres/db.ts';

/** Under a name that no host can have (RFC 2606), and that no form takes for an address. */
const NOBODY = sql<string>`'deleted-' || id || '@deleted.invalid'`;
const NAMELESS = 'Deleted user';

/** The address of somebody who may be out of sight already. */
export const selectAddress = async (trx: Trx, id: string): Promise<string> =>
  (await trx.selectFrom('users').select('email').where('id', '=', id).executeTakeFirstOrThrow()).email;

/** Takes everything out of a user's row that says who they were; their address is free again. */
export const eraseProfile = (trx: Trx, id: string): Promise<unknown> =>
  trx
    .updateTable('users')
    .set({ email: NOBODY, name: NAMELESS, photo_url: '', password_hash: null, email_proven_at: null, time_zone: '' })
    .where('id', '=', id)
    .execute();

/** Takes away every way in and every link that a mail holds. */
export const deleteWaysInOf = async (trx: Trx, userId: string): Promise<void> => {
  const tables = ['passkeys', 'recovery_codes', 'devices', 'sign_in_identities', 'account_links'] as const;
  for (const table of tables) await trx.deleteFrom(table).where('user_id', '=', userId).execute();
};

export const insertDeparture = (trx: Trx, userId: string): Promise<unknown> =>
  trx.insertInto('departures').values({ user_id: userId, finished_at: null }).execute();

export const finishDeparture = (db: Db, userId: string): Promise<unknown> =>
  db
    .updateTable('departures')
    .set({ finished_at: sql<Date>`now()` })
    .where('user_id', '=', userId)
    .execute();

/** Users who left and of whom something is still to be made nameless, by their ids, after one. */
export const listUnfinishedDepartures = (
  db: Db,
  page: { after: string | undefined; limit: number },
): Promise<{ userId: string }[]> =>
  db
    .selectFrom('departures')
    .select('user_id as userId')
    .where('finished_at', 'is', null)
    .$if(page.after !== undefined, (query) => query.where('user_id', '>', page.after ?? ''))
    .orderBy('user_id')
    .limit(page.limit)
    .execute();
