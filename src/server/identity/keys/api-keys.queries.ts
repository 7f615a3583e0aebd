import { sql } from 'kysely';
import type { Scope } from '#contract/users/api-keys.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';
import { hashOfToken } from '#server/identity/random-token.ts';

export interface ApiKeyRow {
  readonly id: string;
  readonly name: string;
  readonly begins: string;
  readonly scopes: Scope[];
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
}

const COLUMNS = ['id', 'name', 'begins', 'scopes', 'created_at as createdAt', 'last_used_at as lastUsedAt'] as const;

/** The keys of a user, the newest first. */
export const listApiKeyRows = (db: Db, userId: string): Promise<ApiKeyRow[]> =>
  db.selectFrom('api_keys').select(COLUMNS).where('user_id', '=', userId).orderBy('created_at', 'desc').execute();

export const insertApiKey = (
  trx: Trx,
  key: { userId: string; name: string; begins: string; secret: string; scopes: readonly Scope[] },
): Promise<ApiKeyRow> =>
  trx
    .insertInto('api_keys')
    .values({
      user_id: key.userId,
      name: key.name,
      begins: key.begins,
      key_hash: hashOfToken(key.secret),
      scopes: [...key.scopes],
      last_used_at: null,
    })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();

export const deleteApiKey = async (db: Db, userId: string, id: string): Promise<number> => {
  const { numDeletedRows } = await db
    .deleteFrom('api_keys')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return Number(numDeletedRows);
};

export const deleteApiKeysOf = async (trx: Trx, userId: string): Promise<void> => {
  await trx.deleteFrom('api_keys').where('user_id', '=', userId).execute();
};

/** Keeps a user as they are until the transaction ends, so that keys are counted one after the other. */
export const lockUser = async (trx: Trx, userId: string): Promise<void> => {
  await trx.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute();
};

export interface KeyOwner {
  readonly keyId: string;
  readonly scopes: Scope[];
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  readonly emailProvenAt: Date | null;
  readonly isStale: boolean;
}

/** Whose key this is: of a seller who is here and not suspended. */
export const findKeyOwner = async (db: Db, secret: string): Promise<KeyOwner | undefined> => {
  const { rows } = await sql<KeyOwner>`
    SELECT k.id AS "keyId", k.scopes, u.id AS "userId", u.email, u.name, u.email_proven_at AS "emailProvenAt",
      k.last_used_at IS NULL OR k.last_used_at < now() - interval '1 minute' AS "isStale"
    FROM api_keys AS k JOIN users AS u ON u.id = k.user_id
    WHERE k.key_hash = ${hashOfToken(secret)} AND u.deleted_at IS NULL AND u.is_seller AND NOT is_suspended(u.id)`.execute(
    db,
  );
  return rows[0];
};

/** Notes a use; of many at once, one writes. */
export const touchApiKey = async (db: Db, id: string): Promise<void> => {
  await sql`UPDATE api_keys SET last_used_at = now() WHERE id = ${id}::uuid
    AND (last_used_at IS NULL OR last_used_at < now() - interval '1 minute')`.execute(db);
};
