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
  `SELECT pg_advisory_xact_lock(hashtextextended(concat_ws(' ', 'key', $1::text, $2::text, $3::text), 0))`,
);

/** Locks a key until the transaction ends: a concurrent repetition waits here. */
export const lockKey = async (trx: Trx, { userId, operation, key }: KeyName): Promise<void> => {
  await query(trx, LOCK_KEY, [userId, operation, key]);
};

const SELECT_KEY = prepared(
  'select_key',
  `SELECT request_hash AS "requestHash", answer FROM idempotency_keys
  WHERE user_id = $1 AND operation = $2 AND key = $3`,
);

/** The row of a key; asked once it is locked, in a statement of its own, it is what was waited for. */
export const findKey = async (trx: Trx, { userId, operation, key }: KeyName): Promise<KeyRow | undefined> =>
  (await query<KeyRow>(trx, SELECT_KEY, [userId, operation, key]))[0];

const INSERT_ANSWER = prepared(
  'insert_answer',
  `INSERT INTO idempotency_keys (user_id, operation, key, request_hash, answer) VALUES ($1, $2, $3, $4, $5::jsonb)
  ON CONFLICT (user_id, operation, key) DO UPDATE SET answer = excluded.answer`,
);

/** Writes an answer down; of a request that was refused before, there is a row already. */
export const insertAnswer = async (trx: Trx, name: KeyName, answer: unknown): Promise<void> => {
  const { userId, operation, key, requestHash } = name;
  await query(trx, INSERT_ANSWER, [userId, operation, key, requestHash, JSON.stringify(answer)]);
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

export const keepAnswer = async (db: Db, name: KeyName, answer: unknown): Promise<void> => {
  await db
    .updateTable('idempotency_keys')
    .set({ answer: JSON.stringify(answer) })
    .where((eb) => eb.and(primaryKey(name)))
    .execute();
};

export const deleteKeysOlderThan = async (db: Db, hours: number): Promise<void> => {
  await db
    .deleteFrom('idempotency_keys')
    .where('created_at', '<', sql<Date>`${REAL_NOW} - make_interval(hours => ${hours})`)
    .execute();
};
