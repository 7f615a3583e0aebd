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
  readonly asyncCommit?: true;
}

export interface Attempt {
  readonly allowed: boolean;
  readonly retryAfterSeconds: number;
}

/**
 * Neither a stranger's network address nor a mistyped mail address needs to be kept readable; this also bounds the key.
 */
const keyOf = (subject: string): string => createHash('sha256').update(subject).digest('base64url');

/** One limit that an attempt must keep, and whose attempt it is. */
export interface Taking {
  readonly limit: AttemptLimit;
  readonly subject: string;
}

/** Counts an attempt, with its five values; where the step before this one refused, nothing is counted. */
const counting = (step: number): string => {
  const [kind, key, attempts, seconds, slides] = [2, 3, 4, 5, 6].map((n) => `$${step * 5 + n}`);
  const isOver = `c.window_started_at <= now() - ${seconds}::integer * interval '1 second'`;
  const isFull = `c.attempts >= ${attempts}::integer`;
  const before = step === 0 ? '' : ` CROSS JOIN (SELECT FROM step_${step - 1} WHERE allowed) AS before`;
  return `step_${step} AS (
    INSERT INTO attempt_counters AS c (kind, subject, attempts)
    SELECT ${kind}::text, ${key}::text, 1 FROM durability${before}
    ON CONFLICT (kind, subject) DO UPDATE SET
      attempts = CASE WHEN ${isOver} THEN 1 WHEN ${isFull} THEN ${attempts}::integer + 1 ELSE c.attempts + 1 END,
      window_started_at =
        CASE WHEN ${isOver} OR (${slides}::boolean AND NOT (${isFull})) THEN now() ELSE c.window_started_at END
    RETURNING c.attempts <= ${attempts}::integer AS "allowed",
      ceil(extract(epoch FROM c.window_started_at - now()) + ${seconds}::integer)::int AS "secondsLeft")`;
};

/** The texts by how many attempts they count; `$1` is the `synchronous_commit` of the statement's own transaction. */
const texts: string[] = [];

const textOf = (count: number): string => {
  const steps = Array.from({ length: count }, (_, step) => step);
  return (texts[count] ??= prepared(
    'attempts',
    `WITH durability AS MATERIALIZED (
        SELECT set_config('synchronous_commit', coalesce($1, current_setting('synchronous_commit')), true)),
      ${steps.map(counting).join(', ')}
    SELECT "allowed", "secondsLeft"
    FROM (${steps.map((step) => `SELECT ${step} AS place, * FROM step_${step}`).join(' UNION ALL ')}) AS answers
    ORDER BY place`,
  ));
};
/**
 * Takes one attempt of each of several limits, or tells how long until there is one: a single statement, so that any
 * number of processes at once never allow more than the limits. Where one refuses, it and those after it are left as
 * they were.
 */
export const takeAttempts = async (db: Db, takings: readonly Taking[]): Promise<Attempt> => {
  const isAsync = takings.every(({ limit }) => limit.asyncCommit === true);
  const values = takings.flatMap(({ limit: { kind, attempts, windowSeconds, windowFrom }, subject }) => [
    kind,
    keyOf(subject),
    attempts,
    windowSeconds,
    windowFrom === 'last',
  ]);
  // Who waits for the disk, or for a replica, is not to keep others waiting behind it.
  const run = isAsync ? queryPipelined : query;
  const rows = await run<{ allowed: boolean; secondsLeft: number }>(db, textOf(takings.length), [
    isAsync ? 'off' : null,
    ...values,
  ]);
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
