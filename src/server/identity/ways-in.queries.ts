import { sql } from 'kysely';
import type { Trx } from '#server/platform/db.ts';

/** How somebody can sign in. */
export interface WaysIn {
  readonly isAdmin: boolean;
  readonly hasPassword: boolean;
  readonly passkeys: number;
  readonly links: number;
}

/** The person's ways in, their row locked until the transaction ends: of two that would take the last two, one waits. */
export const lockWaysIn = async (trx: Trx, userId: string): Promise<WaysIn | undefined> => {
  // The lock first and by itself: a count in the same statement would be older than the lock.
  const person = await trx
    .selectFrom('users')
    .select(['is_admin as isAdmin', sql<boolean>`password_hash IS NOT NULL`.as('hasPassword')])
    .where('id', '=', userId)
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (person === undefined) return undefined;
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
  return { ...person, passkeys: counts.passkeys ?? 0, links: counts.links ?? 0 };
};
