import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Db, Trx } from '#server/platform/postgres/db.ts';
import { badFields, AppError } from '#server/platform/errors.ts';
import { pipelineTransaction } from '#server/platform/postgres/query.ts';
import {
  claimKey,
  deleteKeysOlderThan,
  findKey,
  insertAnswer,
  lockKey,
  keepAnswer,
  noteKey,
  readKey,
  unclaimKey,
  type KeyName,
} from './idempotency.queries.ts';

const MAX_KEY_LENGTH = 255;
/** Repetitions are answered alike for this long; at least a day. */
const KEEP_HOURS = 48;
/**
 * A request that was cut off is taken up again by its repetition after this long: longer than the provider's slowest
 * answer.
 */
const CLAIM_SECONDS = 60;
/** How long a repetition waits for the first to be answered, and how often it looks. */
const WAIT_MS = 2_000;
const LOOK_EVERY_MS = 50;

export interface KeyedRequest {
  readonly userId: string;
  readonly operation: string;
  readonly key: string;
  /** The request's body; another body under the same key is refused. */
  readonly body: unknown;
}

const nameOf = (request: KeyedRequest): KeyName => {
  if (request.key.length > MAX_KEY_LENGTH) throw badFields({ 'Idempotency-Key': 'At most 255 characters' });
  const requestHash = createHash('sha256').update(JSON.stringify(request.body)).digest();
  return { userId: request.userId, operation: request.operation, key: request.key, requestHash };
};

const requireSameBody = (name: KeyName, first: { readonly requestHash: Buffer }): void => {
  if (!name.requestHash.equals(first.requestHash)) {
    throw new AppError('key_reused', 'This Idempotency-Key was used for another request');
  }
};

/** What is done once for a key, in one transaction with it. */
export interface TransactedWork<Seen, A> {
  /**
   * Locks until the transaction ends whatever else the user does of this kind, where the work has to anyway: a
   * repetition waits for that, and the key needs no lock of its own.
   */
  readonly lock?: (trx: Trx) => Promise<unknown>;
  /** Asks what the work hangs on, together with the key: it writes and refuses nothing, as a repetition asks it too. */
  readonly look: (trx: Trx) => Promise<Seen>;
  readonly work: (trx: Trx, seen: Seen) => Promise<A>;
}

/**
 * Runs `work` once for a key: a repetition with the same body gets the first answer, with another body 422; a
 * concurrent one waits for the outcome. A refused request keeps its key: it may be tried again, unchanged. Without a
 * key the work is done each time.
 */
export const once = async <Seen, A>(
  db: Db,
  request: Omit<KeyedRequest, 'key'> & { readonly key: string | undefined },
  { lock, look, work }: TransactedWork<Seen, A>,
): Promise<A> => {
  const { key } = request;
  if (key === undefined) {
    return pipelineTransaction(db, async (trx) => {
      const [, seen] = await Promise.all([lock?.(trx), look(trx)]);
      return work(trx, seen);
    });
  }
  const name = nameOf({ ...request, key });
  const attempt = async (trx: Trx): Promise<{ answer: A; isFirst: boolean }> => {
    const locked = lock === undefined ? lockKey(trx, name) : lock(trx);
    const [, first, seen] = await Promise.all([locked, findKey(trx, name), look(trx)]);
    if (first !== undefined) requireSameBody(name, first);
    if (first !== undefined && first.answer !== null) return { answer: first.answer as A, isFirst: false };
    return { answer: await work(trx, seen), isFirst: true };
  };
  const keep = (trx: Trx, { answer, isFirst }: { answer: A; isFirst: boolean }) =>
    isFirst ? insertAnswer(trx, name, answer) : undefined;
  try {
    return (await pipelineTransaction(db, attempt, keep)).answer;
  } catch (error) {
    if (error instanceof AppError) await noteKey(db, name);
    throw error;
  }
};

export interface KeyedWork<A, Kept> {
  /**
   * What is done; it may ask the provider, so no transaction is open. Must be safe to repeat: a crash may have cut it
   * off.
   */
  readonly work: () => Promise<A>;
  /** What is kept of an answer for repetitions; undefined when it is not final. */
  readonly keep: (answer: A) => Kept | undefined;
  /** The first answer again, from what was kept of it. */
  readonly recall: (kept: Kept) => Promise<A>;
}

/**
 * As `once`, for work that talks to the provider: the key is written down first and stays whatever happens. Of several
 * at once one works and the others wait; who has waited too long gets 409.
 */
export const onceAcrossCalls = async <A, Kept>(
  db: Db,
  request: KeyedRequest,
  { work, keep, recall }: KeyedWork<A, Kept>,
): Promise<A> => {
  const name = nameOf(request);
  for (let waitedMs = 0; ; waitedMs += LOOK_EVERY_MS) {
    if (await claimKey(db, name, CLAIM_SECONDS)) break;
    const first = await readKey(db, name);
    requireSameBody(name, first);
    if (first.answer !== null) return recall(first.answer as Kept);
    if (waitedMs >= WAIT_MS) {
      throw new AppError('request_in_progress', 'This request is under way already', { retryAfterSeconds: 1 });
    }
    await pause(LOOK_EVERY_MS);
  }
  try {
    const answer = await work();
    const kept = keep(answer);
    if (kept !== undefined) await keepAnswer(db, name, kept);
    return answer;
  } finally {
    await unclaimKey(db, name);
  }
};

/** Drops keys that nobody will repeat any more. */
export const forgetOldKeys = (db: Db): Promise<void> => deleteKeysOlderThan(db, KEEP_HOURS);
