import { sql } from 'kysely';
import type { Db, Trx } from '#server/platform/postgres/db.ts';

export type LinkPurpose = 'reset' | 'confirm';

export interface LinkOwner {
  readonly userId: string;
  readonly name: string;
  readonly email: string;
  readonly isProven: boolean;
}

export const insertLink = async (
  trx: Trx,
  link: { tokenHash: Buffer; purpose: LinkPurpose; userId: string; email: string; lifetimeSeconds: number },
): Promise<void> => {
  await trx
    .insertInto('account_links')
    .values({
      token_hash: link.tokenHash,
      purpose: link.purpose,
      user_id: link.userId,
      email: link.email,
      expires_at: sql<Date>`now() + ${sql.lit(link.lifetimeSeconds)} * interval '1 second'`,
      used_at: null,
    })
    .execute();
};

/** Links of users who are there, sent to the address that is still theirs. */
const linksToHere = (db: Db, tokenHash: Buffer, purpose: LinkPurpose) =>
  db
    .selectFrom('account_links as l')
    .innerJoin('users as u', 'u.id', 'l.user_id')
    .select(['u.id as userId', 'u.name', 'u.email', sql<boolean>`u.email_proven_at IS NOT NULL`.as('isProven')])
    .where('l.token_hash', '=', tokenHash)
    .where('l.purpose', '=', purpose)
    .where('u.deleted_at', 'is', null)
    .where(sql<boolean>`lower(l.email) = lower(u.email)`);

const isOpen = sql<boolean>`l.used_at IS NULL AND l.expires_at > now()`;

/** Whose link this is, if it may still be used. */
export const selectOpenLink = (db: Db, tokenHash: Buffer, purpose: LinkPurpose): Promise<LinkOwner | undefined> =>
  linksToHere(db, tokenHash, purpose).where(isOpen).executeTakeFirst();

/** As `selectOpenLink`, for one that was used or is too old as well. */
export const selectLink = (
  db: Db,
  tokenHash: Buffer,
  purpose: LinkPurpose,
): Promise<(LinkOwner & { isOpen: boolean }) | undefined> =>
  linksToHere(db, tokenHash, purpose).select(isOpen.as('isOpen')).executeTakeFirst();

/** Uses a link up: of any number who try at once, one is answered true. */
export const takeLink = async (trx: Trx, tokenHash: Buffer): Promise<boolean> => {
  const taken = await trx
    .updateTable('account_links')
    .set({ used_at: sql<Date>`now()` })
    .where('token_hash', '=', tokenHash)
    .where('used_at', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst();
  return taken.numUpdatedRows === 1n;
};

/** Makes the user's links of this purpose worthless. */
export const endLinks = (trx: Trx, userId: string, purpose: LinkPurpose): Promise<unknown> =>
  trx.deleteFrom('account_links').where('user_id', '=', userId).where('purpose', '=', purpose).execute();

/** Drops links that have been over for a day: until then whoever opens one again is told so kindly. */
export const deleteOldLinks = (db: Db): Promise<unknown> =>
  db
    .deleteFrom('account_links')
    .where('expires_at', '<', sql<Date>`now() - interval '1 day'`)
    .execute();

export const markProven = (trx: Trx, userId: string): Promise<unknown> =>
  trx
    .updateTable('users')
    .set({ email_proven_at: sql<Date>`coalesce(email_proven_at, now())` })
    .where('id', '=', userId)
    .execute();
