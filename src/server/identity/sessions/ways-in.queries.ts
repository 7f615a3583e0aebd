import { sql } from 'kysely';
import type { Trx } from '#server/platform/postgres/db.ts';

/**
 * Locks the user for as long as their session is being begun, and answers whether they are there, with that password
 * where one is given. Whoever changes the password, deletes them or takes a way in away waits for the transaction to
 * end, or was first.
 */
export const shareLock = async (trx: Trx, userId: string, passwordHash: string | undefined): Promise<boolean> => {
  const user = await trx
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where('deleted_at', 'is', null)
    .$if(passwordHash !== undefined, (query) => query.where('password_hash', '=', passwordHash ?? null))
    .forShare()
    .executeTakeFirst();
  return user !== undefined;
};

/** How somebody can sign in. */
export interface WaysIn {
  readonly isAdmin: boolean;
  readonly hasPassword: boolean;
  readonly passkeys: number;
  readonly links: number;
}

/** The user's ways in, their row locked until the transaction ends: of two that would take the last two, one waits. */
export const lockWaysIn = async (trx: Trx, userId: string): Promise<WaysIn | undefined> => {
  // The lock first and by itself: a count in the same statement would be older than the lock.
  const user = await trx
    .selectFrom('users')
    .select(['is_admin as isAdmin', sql<boolean>`password_hash IS NOT NULL`.as('hasPassword')])
    .where('id', '=', userId)
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (user === undefined) return undefined;
  const counts = await trx
    .selectNoFrom((of) => [
      of
        .selectFrom('passkeys')
        .select(sql<number>`count(*)::int`.as('count'))
        .where('user_id', '=', userId)
        .as('passkeys'),
      of
        .selectFrom('sign_in_identities')
        .select(sql<number>`count(*)::int`.as('count'))
        .where('user_id', '=', userId)
        .as('links'),
    ])
    .executeTakeFirstOrThrow();
  return { ...user, passkeys: counts.passkeys ?? 0, links: counts.links ?? 0 };
};
