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

/** SQL that does the same as a part of a statement: each value as SQL over the rows of `from`. */
export const insertingMail = (mail: Readonly<Record<keyof NewMail, string>>, from: string): string =>
  `INSERT INTO outbox (key, kind, to_email, to_name, data)
    SELECT ${mail.key}, ${mail.kind}, ${mail.email}, ${mail.name}, ${mail.data} FROM ${from} ON CONFLICT (key) DO NOTHING`;

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
