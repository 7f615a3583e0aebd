import { sql } from 'kysely';
import type { Link, Provider } from '#contract/users/social.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';

/** Somebody an account of a service belongs to, or who has its address; the deleted included. */
export interface Holder {
  readonly userId: string;
  readonly isDeleted: boolean;
  readonly emailProvenAt: Date | null;
  /** Whether another account of that service opens theirs already. */
  readonly hasOther: boolean;
}

const holders = (trx: Trx, provider: Provider) =>
  trx.selectFrom('users as u').select((of) => [
    'u.id as userId',
    sql<boolean>`u.deleted_at IS NOT NULL`.as('isDeleted'),
    'u.email_proven_at as emailProvenAt',
    of
      .exists(
        of
          .selectFrom('sign_in_identities as i')
          .select('i.user_id')
          .whereRef('i.user_id', '=', 'u.id')
          .where('i.provider', '=', provider),
      )
      .$castTo<boolean>()
      .as('hasOther'),
  ]);

/** Whom this account of a service opens; that they are there is not said. */
export const selectHolderOfIdentity = (
  trx: Trx,
  identity: { issuer: string; subject: string },
): Promise<{ userId: string } | undefined> =>
  trx
    .selectFrom('sign_in_identities')
    .select('user_id as userId')
    .where('issuer', '=', identity.issuer)
    .where('subject', '=', identity.subject)
    .executeTakeFirst();

/** Whether this account of a service opens the user's. */
export const isIdentityOf = async (
  trx: Trx,
  userId: string,
  identity: { issuer: string; subject: string },
): Promise<boolean> => (await selectHolderOfIdentity(trx, identity))?.userId === userId;

/** Whoever has this address, whatever its case, locked until the transaction ends. */
export const lockHolderOfAddress = (trx: Trx, provider: Provider, email: string): Promise<Holder | undefined> =>
  holders(trx, provider)
    .where(sql<boolean>`lower(u.email) = lower(${email})`)
    .forNoKeyUpdate()
    .executeTakeFirst();

/** The user, locked until the transaction ends. */
export const lockHolder = (trx: Trx, provider: Provider, userId: string): Promise<Holder | undefined> =>
  holders(trx, provider).where('u.id', '=', userId).forNoKeyUpdate().executeTakeFirst();

export const insertIdentity = (
  trx: Trx,
  identity: { issuer: string; subject: string; provider: Provider; userId: string; email: string },
): Promise<unknown> =>
  trx
    .insertInto('sign_in_identities')
    .values({
      issuer: identity.issuer,
      subject: identity.subject,
      provider: identity.provider,
      user_id: identity.userId,
      email: identity.email,
    })
    .execute();

/** Gives a user without a picture this one. */
export const givePhoto = (trx: Trx, userId: string, photoUrl: string): Promise<unknown> =>
  trx.updateTable('users').set({ photo_url: photoUrl }).where('id', '=', userId).where('photo_url', '=', '').execute();

/** The user's accounts at services, the oldest link first. */
export const listLinksOf = (db: Db, userId: string): Promise<Link[]> =>
  db
    .selectFrom('sign_in_identities')
    .select([
      'provider',
      'email',
      sql<string>`to_char(linked_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`.as('linkedAt'),
    ])
    .where('user_id', '=', userId)
    .orderBy('linked_at')
    .execute();

/** Unlinks; answers how many were. */
export const deleteIdentity = async (trx: Trx, userId: string, provider: Provider): Promise<number> => {
  const { numDeletedRows } = await trx
    .deleteFrom('sign_in_identities')
    .where('user_id', '=', userId)
    .where('provider', '=', provider)
    .executeTakeFirst();
  return Number(numDeletedRows);
};
