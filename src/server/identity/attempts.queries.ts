import { createHash } from 'node:crypto';
import { sql } from 'kysely';
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

/**
 * Takes one attempt, or tells how long until there is one: a single statement, so that any number of processes at once
 * never allow more than the limit. A refused attempt changes nothing.
 */
export const takeAttempt = async (db: Db, limit: AttemptLimit, subject: string): Promise<Attempt> => {
  const seconds = sql.lit(limit.windowSeconds);
  const isOver = sql`c.window_started_at <= now() - ${seconds} * interval '1 second'`;
  const isFull = sql`c.attempts >= ${sql.lit(limit.attempts)}`;
  // Of this statement's own transaction, which ends with it.
  const whenWritten =
    limit.isForgivable === true
      ? sql`FROM set_config('synchronous_commit', 'off', true) AS later WHERE later = 'off'`
      : sql``;
  const opensAnew = limit.windowFrom === 'last' ? sql`NOT (${isFull})` : sql`false`;
  const { rows } = await sql<{ attempts: number; secondsLeft: number }>`
    INSERT INTO attempt_counters AS c (kind, subject, attempts)
    SELECT ${limit.kind}, ${keyOf(subject)}, 1 ${whenWritten}
    ON CONFLICT (kind, subject) DO UPDATE SET
      attempts = CASE WHEN ${isOver} THEN 1 WHEN ${isFull} THEN ${sql.lit(limit.attempts + 1)} ELSE c.attempts + 1 END,
      window_started_at = CASE WHEN ${isOver} OR ${opensAnew} THEN now() ELSE c.window_started_at END
    RETURNING c.attempts AS "attempts",
      ceil(extract(epoch FROM c.window_started_at - now()) + ${seconds})::int AS "secondsLeft"`.execute(db);
  const [counted] = rows;
  if (counted === undefined) throw new Error('an attempt was not counted');
  return { allowed: counted.attempts <= limit.attempts, retryAfterSeconds: Math.max(1, counted.secondsLeft) };
};

/** Gives the subject all its attempts back. */
export const forgetAttempts = (db: Db, limit: AttemptLimit, subject: string): Promise<unknown> =>
  db.deleteFrom('attempt_counters').where('kind', '=', limit.kind).where('subject', '=', keyOf(subject)).execute();

/** Drops counters that no limit looks at any more. */
export const deleteOldAttempts = (db: Db): Promise<unknown> =>
  db
    .deleteFrom('attempt_counters')
    .where(sql<boolean>`window_started_at < now() - interval '1 day'`)
    .execute();
