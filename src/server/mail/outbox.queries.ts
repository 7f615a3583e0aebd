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

/** Nobody else queues limited mail to the address until the transaction ends: what later statements count is exact. */
const lockAddress = (trx: Trx, email: string): Promise<unknown> =>
  sql`SELECT pg_advisory_xact_lock(hashtextextended('mail to ' || lower(${email}), 0))`.execute(trx);

const isProven = (email: string) =>
  sql<boolean>`EXISTS (SELECT FROM users WHERE lower(email) = lower(${email}) AND email_proven_at IS NOT NULL)`;

/** What an address was sent in a day. */
const lately = (email: string, { kinds }: MailAllowance) => sql`(
    SELECT kind, queued_at > now() - interval '1 hour' AS is_of_hour FROM outbox
    WHERE lower(to_email) = lower(${email}) AND to_email <> '' AND kind = ANY(${kinds})
      AND queued_at > now() - interval '1 day'
  ) AS lately`;

/** Whether that is as much as it gets. */
const isFull = ({ anHour, aDay }: MailAllowance) =>
  sql<boolean>`(count(*) FILTER (WHERE is_of_hour) >= ${anHour}::integer OR count(*) >= ${aDay}::integer)`;

/** What the address was sent lately; nobody else queues limited mail to it until the transaction ends. */
export const lockSentLately = async (trx: Trx, email: string, allowance: MailAllowance): Promise<SentLately> => {
  await lockAddress(trx, email);
  const { rows } = await sql<SentLately>`
    SELECT ${isProven(email)} AS "isProven", ${isFull(allowance)} AS "isFull",
      count(*) FILTER (WHERE is_of_hour AND kind IN ('new-sign-in', 'password-changed'))::int AS "newsLastHour",
      count(*) FILTER (WHERE is_of_hour AND kind = 'reset')::int AS "resetsLastHour"
    FROM ${lately(email, allowance)}`.execute(trx);
  const [row] = rows;
  if (row === undefined) throw new Error('mails were not counted');
  return row;
};

/** Queues a mail to an address that is proven, or was not sent as much as it gets. Waits for no answer in between. */
export const insertMailWithin = async (trx: Trx, mail: NewMail, allowance: MailAllowance): Promise<void> => {
  const { key, kind, email, name, data } = mail;
  const insert = sql`
    INSERT INTO outbox (key, kind, to_email, to_name, data)
    SELECT ${key}, ${kind}, ${email}, ${name}, ${data}::jsonb
    WHERE ${isProven(email)} OR (SELECT NOT ${isFull(allowance)} FROM ${lately(email, allowance)})
    ON CONFLICT (key) DO NOTHING`;
  await Promise.all([lockAddress(trx, email), insert.execute(trx)]);
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
