import { sql } from 'kysely';
import type { Db } from '#server/platform/postgres/db.ts';

export interface ImportingSeller {
  readonly id: string;
  readonly name: string;
  readonly isSeller: boolean;
  readonly emailProvenAt: Date | null;
}

/** The user of an address, as far as listing for them needs. */
export const findImportingSeller = (db: Db, email: string): Promise<ImportingSeller | undefined> =>
  db
    .selectFrom('users')
    .select(['id', 'name', 'is_seller as isSeller', 'email_proven_at as emailProvenAt'])
    .where(sql<boolean>`lower(email) = lower(${email})`)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
