import { createHash } from 'node:crypto';
import { badFields, Refusal } from '#server/platform/errors.ts';
import type { Trx } from '#server/platform/db.ts';

const MAX_KEY_LENGTH = 255;

export interface KeyedRequest {
  readonly userId: string;
  readonly operation: string;
  readonly key: string;
  /** The request's body; another body under the same key is refused. */
  readonly body: unknown;
}

const hashOf = (body: unknown): Buffer => createHash('sha256').update(JSON.stringify(body)).digest();

/**
 * Runs `work` once for a key: a repetition with the same body gets the first answer, with another body 422. The key is stored
 * in the transaction of the work, so a concurrent repetition waits for its outcome and a failed one leaves no trace.
 */
export const once = async <A>(trx: Trx, request: KeyedRequest, work: () => Promise<A>): Promise<A> => {
  if (request.key.length > MAX_KEY_LENGTH) throw badFields({ 'Idempotency-Key': 'At most 255 characters' });
  const row = { user_id: request.userId, operation: request.operation, key: request.key };
  const hash = hashOf(request.body);
  const inserted = await trx
    .insertInto('idempotency_keys')
    .values({ ...row, request_hash: hash, answer: null })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (inserted.numInsertedOrUpdatedRows === 0n) return replay<A>(trx, row, hash);
  const answer = await work();
  await trx
    .updateTable('idempotency_keys')
    .set({ answer: JSON.stringify(answer) })
    .where((eb) => eb.and(row))
    .execute();
  return answer;
};

const replay = async <A>(
  trx: Trx,
  row: { user_id: string; operation: string; key: string },
  hash: Buffer,
): Promise<A> => {
  const first = await trx
    .selectFrom('idempotency_keys')
    .select(['request_hash', 'answer'])
    .where((eb) => eb.and(row))
    .executeTakeFirstOrThrow();
  if (!hash.equals(first.request_hash)) {
    throw new Refusal('key_reused', 'This Idempotency-Key was used for another request');
  }
  return first.answer as A;
};
