import { sql } from 'kysely';
import type { Db, Trx } from '#server/platform/postgres/db.ts';

export interface StoredKey {
  readonly kid: string;
  readonly privateJwk: unknown;
}

/** Every key whose signature counts, the newest first: that one signs. */
export const selectSigningKeys = (db: Db): Promise<StoredKey[]> =>
  db
    .selectFrom('signing_keys')
    .select(['kid', 'private_jwk as privateJwk'])
    .orderBy('created_at', 'desc')
    .orderBy('kid')
    .execute();

/** Makes other processes that want to make the first key wait for this transaction. */
export const lockSigningKeys = (trx: Trx): Promise<unknown> =>
  sql`LOCK TABLE signing_keys IN SHARE ROW EXCLUSIVE MODE`.execute(trx);

export const insertSigningKey = (trx: Trx, key: StoredKey): Promise<unknown> =>
  trx
    .insertInto('signing_keys')
    .values({ kid: key.kid, private_jwk: JSON.stringify(key.privateJwk) })
    .execute();
