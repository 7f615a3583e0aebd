import { sql } from 'kysely';
import type { Trx } from '#server/platform/db.ts';

export interface NewMail {
  readonly key: string;
  readonly kind: string;
  readonly email: string;
  readonly name: string;
  readonly data: string;
}

export const insertMail = async (trx: Trx, mail: NewMail): Promise<void> => {
  await trx
    .insertInto('outbox')
    .values({ key: mail.key, kind: mail.kind, to_email: mail.email, to_name: mail.name, data: mail.data })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute();
};

/** What an address was sent, or will be, of the kinds that are limited. */
export interface SentLately {
  /** Whether its owner has proven that it is theirs. */
  readonly isProven: boolean;
  readonly lastHour: number;
  readonly lastDay: number;
  /** Of the account's own news. */
  readonly newsLastHour: number;
  readonly resetsLastHour: number;
}

/** What the address was sent lately; nobody else queues limited mail to it until the transaction ends. */
export const lockSentLately = async (trx: Trx, email: string, kinds: readonly string[]): Promise<SentLately> => {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended('mail to ' || lower(${email}), 0))`.execute(trx);
  const { rows } = await sql<SentLately>`
    SELECT EXISTS (SELECT FROM users WHERE lower(email) = lower(${email}) AND email_proven_at IS NOT NULL) AS "isProven",
      count(*) FILTER (WHERE is_of_hour)::int AS "lastHour",
      count(*)::int AS "lastDay",
      count(*) FILTER (WHERE is_of_hour AND kind IN ('new-sign-in', 'password-changed'))::int AS "newsLastHour",
      count(*) FILTER (WHERE is_of_hour AND kind = 'reset')::int AS "resetsLastHour"
    FROM (
      SELECT kind, queued_at > now() - interval '1 hour' AS is_of_hour FROM outbox
      WHERE lower(to_email) = lower(${email}) AND to_email <> '' AND kind = ANY(${kinds}) AND queued_at > now() - interval '1 day'
    ) AS lately`.execute(trx);
  const [lately] = rows;
  if (lately === undefined) throw new Error('mails were not counted');
  return lately;
};

/** Puts one mail in place of the many that it stands for: once in six hours, when these are over. */
export const insertDigest = async (trx: Trx, mail: Omit<NewMail, 'key'>): Promise<void> => {
  await sql`
    INSERT INTO outbox (key, kind, to_email, to_name, data, next_try_at)
    SELECT ${mail.kind} || ':' || encode(sha256(convert_to(lower(${mail.email}), 'UTF8')), 'hex') || ':' || extract(epoch FROM begun)::bigint,
      ${mail.kind}, ${mail.email}, ${mail.name}, ${mail.data}::jsonb, least(begun + interval '6 hours', now() + interval '1 hour')
    FROM (SELECT date_bin('6 hours', now(), 'epoch'::timestamptz) AS begun) AS part
    ON CONFLICT (key) DO NOTHING`.execute(trx);
};

/**
 * SQL that does the same as a part of a statement: each value as SQL over the rows of `from`. Of news about a booking an address that
 * nobody has proven gets `most` an hour.
 */
export const insertingMail = (mail: Readonly<Record<keyof NewMail, string>>, from: string, most: number): string =>
  `INSERT INTO outbox (key, kind, to_email, to_name, data)
    SELECT ${mail.key}, ${mail.kind}, ${mail.email}, ${mail.name}, ${mail.data} FROM ${from}
    WHERE EXISTS (SELECT FROM users AS known WHERE lower(known.email) = lower(${mail.email}) AND known.email_proven_at IS NOT NULL)
      OR (SELECT count(*) FROM outbox AS lately WHERE lower(lately.to_email) = lower(${mail.email}) AND lately.to_email <> ''
        AND lately.queued_at > now() - interval '1 hour') < ${most}
    ON CONFLICT (key) DO NOTHING`;

/** Forgets who got mail at this address, and gives up what has not left yet. The keys stay. */
export const eraseRecipient = (trx: Trx, email: string): Promise<unknown> =>
  trx
    .updateTable('outbox')
    .set({
      to_email: '',
      to_name: '',
      data: '{}',
      dead_at: sql<Date | null>`CASE WHEN sent_at IS NULL THEN coalesce(dead_at, now()) END`,
    })
    .where(sql<boolean>`lower(to_email) = lower(${email})`)
    .execute();
