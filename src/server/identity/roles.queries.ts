import { sql } from 'kysely';
import type { Db, Trx } from '#server/platform/db.ts';

/** The roles a person has, and whether their session is young enough for what needs a fresh sign-in. */
export interface RolesNow {
  readonly isAdmin: boolean;
  readonly isSeller: boolean;
  readonly isBuyer: boolean;
  readonly isFresh: boolean;
}

/** The person's roles, locked until the transaction ends, so that of two choices at once the second sees the first. */
export const lockRoles = (
  trx: Trx,
  input: { userId: string; sessionId: string; freshSeconds: number },
): Promise<RolesNow | undefined> =>
  trx
    .selectFrom('users as u')
    .select((of) => [
      'u.is_admin as isAdmin',
      'u.is_seller as isSeller',
      'u.is_buyer as isBuyer',
      of
        .exists(
          of
            .selectFrom('sessions as s')
            .select('s.id')
            .where('s.id', '=', input.sessionId)
            .where('s.created_at', '>', sql<Date>`now() - ${sql.lit(input.freshSeconds)} * interval '1 second'`),
        )
        .$castTo<boolean>()
        .as('isFresh'),
    ])
    .where('u.id', '=', input.userId)
    .where('u.deleted_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst();

export const addRole = (db: Db, userId: string, role: 'buyer' | 'seller'): Promise<unknown> =>
  db
    .updateTable('users')
    .set(role === 'buyer' ? { is_buyer: true } : { is_seller: true })
    .where('id', '=', userId)
    .execute();
