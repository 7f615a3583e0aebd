import { sql } from 'kysely';
import type { Role } from '#contract/users/identity.ts';
import type { Db } from '#server/platform/postgres/db.ts';

const USER_COLUMNS = [
  'id',
  'email',
  'name',
  sql<string>`portrait_address(photo_url)`.as('photoUrl'),
  'is_admin as isAdmin',
  'is_seller as isSeller',
  'is_buyer as isBuyer',
  'verified',
  'email_proven_at as emailProvenAt',
  'time_zone as timeZone',
] as const;

/** A user as other modules see one: everything but the password. */
export interface User {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  /** The address of the photo that they are shown by; empty where there is none yet. */
  readonly photoUrl: string;
  readonly isAdmin: boolean;
  readonly isSeller: boolean;
  readonly isBuyer: boolean;
  readonly verified: boolean;
  readonly emailProvenAt: Date | null;
  /** Empty until a browser told one. */
  readonly timeZone: string;
}

export interface NewUser {
  readonly email: string;
  readonly name: string;
  readonly passwordHash: string | null;
  readonly roles: readonly Role[];
  readonly verified: boolean;
  readonly emailProven: boolean;
}

const ofAddress = (email: string) => sql<boolean>`lower(email) = lower(${email})`;

/** The new user; undefined when the address has an account, a deleted one included. */
export const insertUser = (db: Db, user: NewUser): Promise<User | undefined> =>
  db
    .insertInto('users')
    .values({
      email: user.email,
      name: user.name,
      password_hash: user.passwordHash,
      is_admin: user.roles.includes('admin'),
      is_seller: user.roles.includes('seller'),
      is_buyer: user.roles.includes('buyer'),
      verified: user.verified,
      email_proven_at: user.emailProven ? sql<Date>`now()` : null,
    })
    .onConflict((conflict) => conflict.expression(sql`lower(email)`).doNothing())
    .returning(USER_COLUMNS)
    .executeTakeFirst();

export const selectUserByEmail = (db: Db, email: string): Promise<User | undefined> =>
  db
    .selectFrom('users')
    .select(USER_COLUMNS)
    .where(ofAddress(email))
    .where('deleted_at', 'is', null)
    .executeTakeFirst();

export const selectUserById = (db: Db, id: string): Promise<User | undefined> =>
  db.selectFrom('users').select(USER_COLUMNS).where('id', '=', id).where('deleted_at', 'is', null).executeTakeFirst();

/** The user with what their password is checked against; null where they only come through a provider. */
export const selectForSignIn = (db: Db, email: string): Promise<(User & { passwordHash: string | null }) | undefined> =>
  db
    .selectFrom('users')
    .select([...USER_COLUMNS, 'password_hash as passwordHash'])
    .where(ofAddress(email))
    .where('deleted_at', 'is', null)
    .executeTakeFirst();

export const updateName = (db: Db, id: string, name: string): Promise<unknown> =>
  db.updateTable('users').set({ name }).where('id', '=', id).where('deleted_at', 'is', null).execute();
