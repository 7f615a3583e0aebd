import { sql } from 'kysely';
import type { Db, Trx } from '#server/platform/postgres/db.ts';

/** A challenge is answered by somebody who sits before the browser, within this time or not at all. */
export const CHALLENGE_SECONDS = 5 * 60;

/** What the answer to a challenge is good for, and whose session may give it. */
export type ChallengeUse =
  | { readonly purpose: 'sign-in'; readonly sessionId: null }
  | { readonly purpose: 'add' | 'again'; readonly sessionId: string };

const isYoung = sql<boolean>`created_at > now() - ${sql.lit(CHALLENGE_SECONDS)} * interval '1 second'`;

export const insertChallenge = (trx: Trx | Db, challenge: string, use: ChallengeUse): Promise<unknown> =>
  trx.insertInto('passkey_challenges').values({ challenge, purpose: use.purpose, session_id: use.sessionId }).execute();

/**
 * Takes away what a session was asked before for the same purpose; its row is locked, so that of two at once one
 * challenge stays.
 */
export const dropChallengesOf = async (trx: Trx, { purpose, sessionId }: ChallengeUse): Promise<void> => {
  await trx.selectFrom('sessions').select('id').where('id', '=', sessionId).forNoKeyUpdate().execute();
  await trx
    .deleteFrom('passkey_challenges')
    .where('session_id', '=', sessionId)
    .where('purpose', '=', purpose)
    .execute();
};

/**
 * Takes a challenge away; answers whether it was there, for this use and still good. Of many who take it one has it.
 */
export const takeChallenge = async (db: Db, challenge: string, use: ChallengeUse): Promise<boolean> => {
  const result = await db
    .deleteFrom('passkey_challenges')
    .where('challenge', '=', challenge)
    .where('purpose', '=', use.purpose)
    .where(sql<boolean>`session_id IS NOT DISTINCT FROM ${use.sessionId}::uuid`)
    .where(isYoung)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
};

export const deleteOldChallenges = (db: Db): Promise<unknown> =>
  db
    .deleteFrom('passkey_challenges')
    .where(sql<boolean>`NOT ${isYoung}`)
    .execute();

export interface PasskeyRow {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Date;
  readonly usedAt: Date | null;
}

/** The user's passkeys, the oldest first. */
export const listPasskeyRows = (db: Db, userId: string): Promise<PasskeyRow[]> =>
  db
    .selectFrom('passkeys')
    .select(['id', 'name', 'created_at as createdAt', 'used_at as usedAt'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();

/** What the authenticator calls the user's passkeys, and how it is reached. */
export const selectCredentialIds = (db: Db, userId: string): Promise<{ id: string; transports: string[] }[]> =>
  db
    .selectFrom('passkeys')
    .select(['credential_id as id', 'transports'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .execute();

export interface StoredPasskey {
  readonly id: string;
  readonly userId: string;
  readonly credentialId: string;
  readonly publicKey: Buffer;
  readonly counter: number;
}

/** The passkey an authenticator names, unless its user was deleted. */
export const selectPasskey = async (db: Db, credentialId: string): Promise<StoredPasskey | undefined> => {
  const row = await db
    .selectFrom('passkeys as p')
    .innerJoin('users as u', 'u.id', 'p.user_id')
    .select([
      'p.id',
      'p.user_id as userId',
      'p.credential_id as credentialId',
      'p.public_key as publicKey',
      'p.counter',
    ])
    .where('p.credential_id', '=', credentialId)
    .where('u.deleted_at', 'is', null)
    .executeTakeFirst();
  return row && { ...row, counter: Number(row.counter) };
};

export interface NewPasskeyRow {
  readonly userId: string;
  readonly credentialId: string;
  readonly publicKey: Uint8Array;
  readonly counter: number;
  readonly transports: readonly string[];
  readonly name: string;
}

/** Stores a passkey; undefined when one of this id is there already. */
export const insertPasskey = async (trx: Trx, passkey: NewPasskeyRow): Promise<string | undefined> => {
  const row = await trx
    .insertInto('passkeys')
    .values({
      user_id: passkey.userId,
      credential_id: passkey.credentialId,
      public_key: Buffer.from(passkey.publicKey),
      counter: String(passkey.counter),
      transports: [...passkey.transports],
      name: passkey.name,
      used_at: null,
    })
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id;
};

/**
 * Notes a use with the count its authenticator told; false when an equal or later one was told before, by a copy of the
 * passkey. Authenticators that do not count always tell 0.
 */
export const notePasskeyUse = async (trx: Trx, id: string, counter: number): Promise<boolean> => {
  const result = await trx
    .updateTable('passkeys')
    .set({ counter: String(counter), used_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where(sql<boolean>`(counter < ${counter} OR (counter = 0 AND ${counter} = 0))`)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
};

export const updatePasskeyName = async (db: Db, userId: string, id: string, name: string): Promise<boolean> => {
  const result = await db
    .updateTable('passkeys')
    .set({ name })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
};

export const deletePasskey = async (trx: Trx, userId: string, id: string): Promise<boolean> => {
  const result = await trx.deleteFrom('passkeys').where('id', '=', id).where('user_id', '=', userId).executeTakeFirst();
  return result.numDeletedRows > 0n;
};

export const deletePasskeysOf = (trx: Trx, userId: string): Promise<unknown> =>
  trx.deleteFrom('passkeys').where('user_id', '=', userId).execute();
