import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '#server/platform/postgres/db.ts';
import { prepared, query, queryPipelined } from '#server/platform/postgres/query.ts';

/** How many attempts of one kind a subject has. */
export interface AttemptLimit {
  readonly kind: string;
  readonly attempts: number;
  readonly windowSeconds: number;
  /**
   * - `first`: the window opens at the first attempt and the count starts anew when it is over
   * - `last`: every counted attempt opens it anew, so no stretch of this length ever holds more than `attempts`
   */
  readonly windowFrom: 'first' | 'last';
  /** What only spares the shop work need not outlive a crash of the database: nobody waits for its disk. */
  readonly isForgivable?: boolean;
}

export interface Attempt {
  readonly allowed: boolean;
  readonly retryAfterSeconds: number;
}

/** Neither a stranger's network address nor a mistyped mail address needs to be kept readable; this also bounds the key. */
const keyOf = (subject: string): string => createHash('sha256').update(subject).digest('base64url');

/** One limit that an attempt must keep, and whose attempt it is. */
export interface Taking {
  readonly limit: AttemptLimit;
  readonly subject: string;
}

/** All that the text of counting an attempt hangs on. */
type Shape = Pick<AttemptLimit, 'windowFrom' | 'isForgivable'>;

/** Counts an attempt, with its four values; where the step before this one refused, nothing is counted. */
const counting = ({ windowFrom, isForgivable }: Shape, step: number): string => {
  const [kind, key, attempts, seconds] = [1, 2, 3, 4].map((n) => `$${step * 4 + n}`);
  const isOver = `c.window_started_at <= now() - ${seconds}::integer * interval '1 second'`;
  const isFull = `c.attempts >= ${attempts}::integer`;
  // Of this statement's own transaction, which ends with it.
  const whenWritten =
    isForgivable === true ? `set_config('synchronous_commit', 'off', true) AS later` : `(SELECT) AS now`;
  const before = step === 0 ? '' : ` CROSS JOIN (SELECT FROM step_${step - 1} WHERE allowed) AS before`;
  const opensAnew = windowFrom === 'last' ? `NOT (${isFull})` : 'false';
  return `step_${step} AS (
    INSERT INTO attempt_counters AS c (kind, subject, attempts)
    SELECT ${kind}::text, ${key}::text, 1 FROM ${whenWritten}${before}
    ON CONFLICT (kind, subject) DO UPDATE SET
      attempts = CASE WHEN ${isOver} THEN 1 WHEN ${isFull} THEN ${attempts}::integer + 1 ELSE c.attempts + 1 END,
      window_started_at = CASE WHEN ${isOver} OR ${opensAnew} THEN now() ELSE c.window_started_at END
    RETURNING c.attempts <= ${attempts}::integer AS "allowed",
      ceil(extract(epoch FROM c.window_started_at - now()) + ${seconds}::integer)::int AS "secondsLeft")`;
};

const countingAll = (shapes: readonly Shape[]): string => `
  WITH ${shapes.map(counting).join(', ')} SELECT "allowed", "secondsLeft"
  FROM (${shapes.map((_, step) => `SELECT ${step} AS place, * FROM step_${step}`).join(' UNION ALL ')}) AS answers
  ORDER BY place`;

/** The texts by their shapes, of which there are a few: they come with every costly call. */
const texts = new Map<string, string>();

const textOf = (shapes: readonly Shape[]): string => {
  const name = shapes.map(({ windowFrom, isForgivable }) => `${windowFrom} ${isForgivable === true}`).join();
  const known = texts.get(name);
  if (known !== undefined) return known;
  const text = prepared('attempts', countingAll(shapes));
  texts.set(name, text);
  return text;
};

/**
 * Takes one attempt of each of several limits, or tells how long until there is one: a single statement, so that any number of processes
 * at once never allow more than the limits. Where one refuses, it and those after it are left as they were.
 */
export const takeAttempts = async (db: Db, takings: readonly Taking[]): Promise<Attempt> => {
  const limits = takings.map(({ limit }) => limit);
  const values = takings.flatMap(({ limit: { kind, attempts, windowSeconds }, subject }) => [
    kind,
    keyOf(subject),
    attempts,
    windowSeconds,
  ]);
  // Who waits for the disk, or for a replica, is not to keep others waiting behind it.
  const asking = limits.every(({ isForgivable }) => isForgivable === true) ? queryPipelined : query;
  const rows = await asking<{ allowed: boolean; secondsLeft: number }>(db, textOf(limits), values);
  const last = rows.at(-1);
  if (last === undefined) throw new Error('an attempt was not counted');
  return { allowed: last.allowed, retryAfterSeconds: Math.max(1, last.secondsLeft) };
};

/** As `takeAttempts`, of one limit. */
export const takeAttempt = (db: Db, limit: AttemptLimit, subject: string): Promise<Attempt> =>
  takeAttempts(db, [{ limit, subject }]);

/** Gives the subject all its attempts back. */
export const forgetAttempts = (db: Db, limit: AttemptLimit, subject: string): Promise<unknown> =>
  db.deleteFrom('attempt_counters').where('kind', '=', limit.kind).where('subject', '=', keyOf(subject)).execute();

/** Drops counters that no limit looks at any more. */
export const deleteOldAttempts = (db: Db): Promise<unknown> =>
  db
    .deleteFrom('attempt_counters')
    .where(sql<boolean>`window_started_at < now() - interval '1 day'`)
    .execute();
