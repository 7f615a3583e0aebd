import { sql } from 'kysely';
import type { Db } from '#server/platform/postgres/db.ts';

/** A mail that this process alone may send until its lease ends. */
export interface LeasedMail {
  readonly id: string;
  readonly kind: string;
  readonly key: string;
  readonly email: string;
  readonly name: string;
  readonly data: unknown;
  readonly messageId: string;
  /** Which try this is, from 1. */
  readonly attempt: number;
  readonly ageSeconds: number;
  /** The zone its user's browser told last; empty or null where none was told. */
  readonly timeZone: string | null;
}

/**
 * Takes the mail that has been due the longest, passing over what others are taking; counts the try before it is made.
 */
export const leaseNextMail = async (
  db: Db,
  input: { leaseSeconds: number; host: string },
): Promise<LeasedMail | undefined> => {
  const { rows } = await sql<LeasedMail>`
    UPDATE outbox SET
      attempts = attempts + 1,
      leased_until = now() + ${sql.lit(input.leaseSeconds)} * interval '1 second',
      message_id = coalesce(message_id, '<' || id || '@' || ${input.host} || '>')
    WHERE id = (
      SELECT id FROM outbox
      WHERE sent_at IS NULL AND dead_at IS NULL AND next_try_at <= now() AND (leased_until IS NULL OR leased_until <= now())
      ORDER BY next_try_at LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING id, kind, key, to_email AS email, to_name AS name, data, message_id AS "messageId", attempts AS attempt,
      extract(epoch FROM now() - queued_at)::float8 AS "ageSeconds",
      (SELECT time_zone FROM users WHERE lower(users.email) = lower(to_email)) AS "timeZone"`.execute(db);
  return rows[0];
};

type Try = Pick<LeasedMail, 'id' | 'attempt'>;

/** The rows that still wait for the outcome of this very try. */
const ofTry = (db: Db, mail: Try) =>
  db
    .updateTable('outbox')
    .where('id', '=', mail.id)
    .where('attempts', '=', mail.attempt)
    .where('sent_at', 'is', null)
    // Its user may have left meanwhile.
    .where('dead_at', 'is', null);

/** Notes that the mail was taken. What it said is forgotten: it may hold a link that opens an account. */
export const markSent = (db: Db, mail: Try): Promise<unknown> =>
  ofTry(db, mail)
    .set({ sent_at: sql<Date>`now()`, leased_until: null, data: '{}', last_error: '' })
    .execute();

/**
 * Notes a failed try; the next one is `waitSeconds` later, a quarter more or less, so that many do not come at once.
 */
export const markFailed = (db: Db, mail: Try, input: { error: string; waitSeconds: number }): Promise<unknown> =>
  ofTry(db, mail)
    .set({
      leased_until: null,
      last_error: input.error,
      next_try_at: sql<Date>`now() + ${input.waitSeconds}::float8 * (0.75 + random() * 0.5) * interval '1 second'`,
    })
    .execute();

/** Gives the mail up, until somebody sets `dead_at` back; what it said may have to be forgotten. */
export const markDead = (db: Db, mail: Try, input: { error: string; forget: boolean }): Promise<unknown> =>
  ofTry(db, mail)
    .set({
      dead_at: sql<Date>`now()`,
      leased_until: null,
      last_error: input.error,
      ...(input.forget && { data: '{}' }),
    })
    .execute();

/** Forgets who got mail that was sent or given up long ago; its key stays, so that it is never sent again. */
export const forgetRecipients = (db: Db, afterDays: number): Promise<unknown> =>
  db
    .updateTable('outbox')
    .set({ to_email: '', to_name: '', data: '{}' })
    .where('to_email', '<>', '')
    .where(sql<boolean>`coalesce(sent_at, dead_at) < now() - ${sql.lit(afterDays)} * interval '1 day'`)
    .execute();
