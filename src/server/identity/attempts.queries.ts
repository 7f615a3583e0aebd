import { createHash } from 'node:crypto';
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '#server/platform/db.ts';

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

/** Counts an attempt; where `before` names a step that refused, nothing is counted. */
const counting = ({ limit, subject }: Taking, before: RawBuilder<unknown> | undefined) => {
  const seconds = sql.lit(limit.windowSeconds);
  const isOver = sql`c.window_started_at <= now() - ${seconds} * interval '1 second'`;
  const isFull = sql`c.attempts >= ${sql.lit(limit.attempts)}`;
  // Of this statement's own transaction, which ends with it.
  const whenWritten =
    limit.isForgivable === true ? sql`set_config('synchronous_commit', 'off', true) AS later` : sql`(SELECT) AS now`;
  const opensAnew = limit.windowFrom === 'last' ? sql`NOT (${isFull})` : sql`false`;
  return sql`
    INSERT INTO attempt_counters AS c (kind, subject, attempts)
    SELECT ${limit.kind}, ${keyOf(subject)}, 1 FROM ${whenWritten}${before === undefined ? sql`` : sql` CROSS JOIN ${before}`}
    ON CONFLICT (kind, subject) DO UPDATE SET
      attempts = CASE WHEN ${isOver} THEN 1 WHEN ${isFull} THEN ${sql.lit(limit.attempts + 1)} ELSE c.attempts + 1 END,
      window_started_at = CASE WHEN ${isOver} OR ${opensAnew} THEN now() ELSE c.window_started_at END
    RETURNING c.attempts <= ${sql.lit(limit.attempts)} AS "allowed",
      ceil(extract(epoch FROM c.window_started_at - now()) + ${seconds})::int AS "secondsLeft"`;
};

/**
 * Takes one attempt of each of several limits, or tells how long until there is one: a single statement, so that any number of processes
 * at once never allow more than the limits. Where one refuses, it and those after it are left as they were.
 */
export const takeAttempts = async (db: Db, takings: readonly Taking[]): Promise<Attempt> => {
  const steps = takings.map((taking, place) => {
    const before = place === 0 ? undefined : sql`(SELECT FROM ${sql.ref(`step_${place - 1}`)} WHERE allowed) AS before`;
    return sql`${sql.ref(`step_${place}`)} AS (${counting(taking, before)})`;
  });
  const answers = takings.map((_, place) => sql`SELECT ${sql.lit(place)} AS place, * FROM ${sql.ref(`step_${place}`)}`);
  const { rows } = await sql<{ allowed: boolean; secondsLeft: number }>`
    WITH ${sql.join(steps)} SELECT "allowed", "secondsLeft" FROM (${sql.join(answers, sql` UNION ALL `)}) AS answers
    ORDER BY place`.execute(db);
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
