import type { Db, Trx } from '#server/platform/postgres/db.ts';

/** The roles a user has. */
export interface RolesNow {
  readonly isAdmin: boolean;
  readonly isSeller: boolean;
  readonly isBuyer: boolean;
}

/** The user's roles, locked until the transaction ends, so that of two choices at once the second sees the first. */
export const lockRoles = (trx: Trx, userId: string): Promise<RolesNow | undefined> =>
  trx
    .selectFrom('users as u')
    .select(['u.is_admin as isAdmin', 'u.is_seller as isSeller', 'u.is_buyer as isBuyer'])
    .where('u.id', '=', userId)
    .where('u.deleted_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst();

export const addRole = (db: Db, userId: string, role: 'buyer' | 'seller'): Promise<unknown> =>
  db
    .updateTable('users')
    .set(role === 'buyer' ? { is_buyer: true } : { is_seller: true })
    .where('id', '=', userId)
    .execute();
