import { sql } from 'kysely';
import type { Trx } from '#server/platform/postgres/db.ts';
import { prepared, query } from '#server/platform/postgres/query.ts';

export interface NewMail {
  readonly key: string;
  readonly kind: string;
  readonly email: string;
  readonly name: string;
  readonly data: string;
  /** What it is about, where its recipient may have chosen not to have such mails. */
  readonly topic: string | null;
}

/** Of statements whose first value is an address: whether its user has mails of topic `$n`. */
const isMailed = (n: string): string => `NOT EXISTS (
    SELECT FROM users JOIN mail_choices AS chosen ON chosen.user_id = users.id
    WHERE lower(users.email) = lower($1::text) AND chosen.not_mailed @> ARRAY[${n}::text])`;

const INSERT_MAIL = prepared(
  'insert_mail',
  `INSERT INTO outbox (to_email, key, kind, to_name, data) SELECT $1::text, $2, $3, $4, $5::jsonb
  WHERE ${isMailed('$6')} ON CONFLICT (key) DO NOTHING`,
);

/** Queues a mail, unless its recipient does not want mails of its topic. */
export const insertMail = async (trx: Trx, { email, key, kind, name, data, topic }: NewMail): Promise<void> => {
  await query(trx, INSERT_MAIL, [email, key, kind, name, data, topic]);
};

/** Of which kinds an address gets so many an hour and a day. */
export interface MailAllowance {
  readonly kinds: readonly string[];
  readonly anHour: number;
  readonly aDay: number;
}

/** What an address was sent, or will be, of the kinds that are limited. */
export interface SentLately {
  /** Whether its owner has proven that it is theirs. */
  readonly isProven: boolean;
  /** Whether it was sent as much as it gets. */
  readonly isFull: boolean;
  /** Of the account's own news. */
  readonly newsLastHour: number;
  readonly resetsLastHour: number;
}

/** Of statements whose first values are an address, the kinds, and how many of them it gets an hour and a day. */
const IS_PROVEN = `EXISTS (SELECT FROM users WHERE lower(email) = lower($1::text) AND email_proven_at IS NOT NULL)`;
const IS_FULL = `(count(*) FILTER (WHERE is_of_hour) >= $3::integer OR count(*) >= $4::integer)`;
const LATELY = `(
    SELECT kind, queued_at > now() - interval '1 hour' AS is_of_hour FROM outbox
    WHERE lower(to_email) = lower($1::text) AND to_email <> '' AND kind = ANY($2::text[])
      AND queued_at > now() - interval '1 day'
  ) AS lately`;

const valuesOf = (email: string, { kinds, anHour, aDay }: MailAllowance): unknown[] => [email, kinds, anHour, aDay];

/** What the address was sent lately; nobody else queues limited mail to it until the transaction ends. */
export const lockSentLately = async (trx: Trx, email: string, allowance: MailAllowance): Promise<SentLately> => {
  await query(trx, `SELECT pg_advisory_xact_lock(hashtextextended('mail to ' || lower($1::text), 0))`, [email]);
  const [row] = await query<SentLately>(
    trx,
    `SELECT ${IS_PROVEN} AS "isProven", ${IS_FULL} AS "isFull",
      count(*) FILTER (WHERE is_of_hour AND kind IN ('new-sign-in', 'password-changed'))::int AS "newsLastHour",
      count(*) FILTER (WHERE is_of_hour AND kind = 'reset')::int AS "resetsLastHour"
    FROM ${LATELY}`,
    valuesOf(email, allowance),
  );
  if (row === undefined) throw new Error('mails were not counted');
  return row;
};

const INSERT_WITHIN = prepared(
  'insert_mail_within',
  `INSERT INTO outbox (to_email, key, kind, to_name, data) SELECT $1::text, $5, $6, $7, $8::jsonb
  WHERE ${isMailed('$9')} AND (${IS_PROVEN} OR (SELECT NOT ${IS_FULL} FROM ${LATELY}))
  ON CONFLICT (key) DO NOTHING`,
);

/**
 * Queues a mail to an address that is proven, or was not sent as much as it gets: one statement, and no lock, so what
 * is queued in the very same moment may be more than that.
 */
export const insertMailWithin = async (trx: Trx, mail: NewMail, allowance: MailAllowance): Promise<void> => {
  const { key, kind, email, name, data, topic } = mail;
  await query(trx, INSERT_WITHIN, [...valuesOf(email, allowance), key, kind, name, data, topic]);
};

/** Puts one mail in place of the many that it stands for: once in six hours, when these are over. */
export const insertDigest = async (trx: Trx, mail: Omit<NewMail, 'key' | 'topic'>): Promise<void> => {
  await sql`
    INSERT INTO outbox (key, kind, to_email, to_name, data, next_try_at)
    SELECT ${mail.kind} || ':' || encode(sha256(convert_to(lower(${mail.email}), 'UTF8')), 'hex') || ':' || extract(epoch FROM begun)::bigint,
      ${mail.kind}, ${mail.email}, ${mail.name}, ${mail.data}::jsonb, least(begun + interval '6 hours', now() + interval '1 hour')
    FROM (SELECT date_bin('6 hours', now(), 'epoch'::timestamptz) AS begun) AS part
    ON CONFLICT (key) DO NOTHING`.execute(trx);
};

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
