import { sql } from 'kysely';
import type { Role } from '#contract/users/identity.ts';
import type { Db } from '#server/platform/postgres/db.ts';

const PERSON = [
  'id',
  'email',
  'name',
  'photo_url as photoUrl',
  'is_admin as isAdmin',
  'is_seller as isSeller',
  'is_buyer as isBuyer',
  'verified',
  'email_proven_at as emailProvenAt',
  'time_zone as timeZone',
] as const;

/** A user as other modules see one: everything but the password. */
export interface Person {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly photoUrl: string;
  readonly isAdmin: boolean;
  readonly isSeller: boolean;
  readonly isBuyer: boolean;
  readonly verified: boolean;
  readonly emailProvenAt: Date | null;
  /** Empty until a browser told one. */
  readonly timeZone: string;
}

export interface NewPerson {
  readonly email: string;
  readonly name: string;
  readonly passwordHash: string | null;
  readonly roles: readonly Role[];
  readonly verified: boolean;
  readonly emailProven: boolean;
}

const ofAddress = (email: string) => sql<boolean>`lower(email) = lower(${email})`;

/** The new person; undefined when the address has an account, a deleted one included. */
export const insertPerson = (db: Db, person: NewPerson): Promise<Person | undefined> =>
  db
    .insertInto('users')
    .values({
      email: person.email,
      name: person.name,
      password_hash: person.passwordHash,
      is_admin: person.roles.includes('admin'),
      is_seller: person.roles.includes('seller'),
      is_buyer: person.roles.includes('buyer'),
      verified: person.verified,
      email_proven_at: person.emailProven ? sql<Date>`now()` : null,
    })
    .onConflict((conflict) => conflict.expression(sql`lower(email)`).doNothing())
    .returning(PERSON)
    .executeTakeFirst();

export const selectPersonByEmail = (db: Db, email: string): Promise<Person | undefined> =>
  db.selectFrom('users').select(PERSON).where(ofAddress(email)).where('deleted_at', 'is', null).executeTakeFirst();

export const selectPersonById = (db: Db, id: string): Promise<Person | undefined> =>
  db.selectFrom('users').select(PERSON).where('id', '=', id).where('deleted_at', 'is', null).executeTakeFirst();

/** The person with what their password is checked against; null where they only come through a provider. */
export const selectForSignIn = (
  db: Db,
  email: string,
): Promise<(Person & { passwordHash: string | null }) | undefined> =>
  db
    .selectFrom('users')
    .select([...PERSON, 'password_hash as passwordHash'])
    .where(ofAddress(email))
    .where('deleted_at', 'is', null)
    .executeTakeFirst();

export const updateName = (db: Db, id: string, name: string): Promise<unknown> =>
  db.updateTable('users').set({ name }).where('id', '=', id).where('deleted_at', 'is', null).execute();
