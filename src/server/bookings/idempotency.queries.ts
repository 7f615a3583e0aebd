import { sql } from 'kysely';
import { REAL_NOW } from '#server/platform/postgres/clock.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';
import { prepared, query, queryPrepared } from '#server/platform/postgres/query.ts';

export interface KeyName {
  readonly userId: string;
  readonly operation: string;
  readonly key: string;
  readonly requestHash: Buffer;
}

export interface KeyRow {
  readonly requestHash: Buffer;
  /** Null until there is one. */
  readonly answer: unknown;
}

const primaryKey = ({ userId, operation, key }: KeyName) => ({ user_id: userId, operation, key });

const LOCK_KEY = prepared(
  'lock_key',
  `INSERT INTO idempotency_keys AS k (user_id, operation, key, request_hash, answer) VALUES ($1, $2, $3, $4, NULL)
  ON CONFLICT (user_id, operation, key) DO UPDATE SET key = k.key
  RETURNING k.request_hash AS "requestHash", k.answer`,
);

/** The key's row, made when new, locked until the transaction ends: a concurrent repetition waits here. */
export const lockKey = async (trx: Trx, name: KeyName): Promise<KeyRow> => {
  const [row] = await query<KeyRow>(trx, LOCK_KEY, [name.userId, name.operation, name.key, name.requestHash]);
  if (row === undefined) throw new Error('a key was not locked');
  return row;
};

/** Writes the key of a refused request down, whose transaction left nothing: it stays that request's. */
export const noteKey = async (db: Db, name: KeyName): Promise<void> => {
  const insert = db
    .insertInto('idempotency_keys')
    .values({ ...primaryKey(name), request_hash: name.requestHash, answer: null })
    .onConflict((conflict) => conflict.doNothing());
  await queryPrepared(db, 'note_key', insert);
};

export const readKey = (db: Db, name: KeyName): Promise<KeyRow> =>
  db
    .selectFrom('idempotency_keys')
    .select(['request_hash as requestHash', 'answer'])
    .where((eb) => eb.and(primaryKey(name)))
    .executeTakeFirstOrThrow();

/**
 * Takes the key for this request; false when it has an answer, another body, or somebody at work for less than
 * `seconds`.
 */
export const claimKey = async (db: Db, name: KeyName, seconds: number): Promise<boolean> => {
  const { numAffectedRows } = await sql`
    INSERT INTO idempotency_keys AS k (user_id, operation, key, request_hash, answer, claimed_at)
    VALUES (${name.userId}, ${name.operation}, ${name.key}, ${name.requestHash}, NULL, ${REAL_NOW})
    ON CONFLICT (user_id, operation, key) DO UPDATE SET claimed_at = ${REAL_NOW}
    WHERE k.answer IS NULL AND k.request_hash = excluded.request_hash
      AND (k.claimed_at IS NULL OR k.claimed_at < ${REAL_NOW} - make_interval(secs => ${seconds}))`.execute(db);
  return numAffectedRows === 1n;
};

export const unclaimKey = async (db: Db, name: KeyName): Promise<void> => {
  await db
    .updateTable('idempotency_keys')
    .set({ claimed_at: null })
    .where((eb) => eb.and(primaryKey(name)))
    .execute();
};

const KEEP_ANSWER = prepared(
  'keep_answer',
  'UPDATE idempotency_keys SET answer = $4::jsonb WHERE user_id = $1 AND operation = $2 AND key = $3',
);

export const keepAnswer = async (db: Db, name: KeyName, answer: unknown): Promise<void> => {
  await query(db, KEEP_ANSWER, [name.userId, name.operation, name.key, JSON.stringify(answer)]);
};

export const deleteKeysOlderThan = async (db: Db, hours: number): Promise<void> => {
  await db
    .deleteFrom('idempotency_keys')
    .where('created_at', '<', sql<Date>`${REAL_NOW} - make_interval(hours => ${hours})`)
    .execute();
};
