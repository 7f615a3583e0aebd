import { sql } from 'kysely';
import type { Imprint } from '#contract/law/imprint.ts';
import { SHOP_NOW } from '#server/platform/postgres/clock.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';

export interface DeclarationRow extends Imprint {
  readonly kind: 'private' | 'trader';
  readonly declaredAt: Date;
}

/** As what somebody sells; undefined where they have not said. */
export const findDeclaration = (db: Db, userId: string): Promise<DeclarationRow | undefined> =>
  db
    .selectFrom('seller_declarations')
    .select([
      'kind',
      'business',
      'address',
      'country',
      'email',
      'phone',
      'register',
      'tax_number as taxNumber',
      'declared_at as declaredAt',
    ])
    .where('user_id', '=', userId)
    .executeTakeFirst();

export const upsertDeclaration = async (
  db: Db,
  userId: string,
  { kind, taxNumber, ...imprint }: Imprint & Pick<DeclarationRow, 'kind'>,
): Promise<void> => {
  const said = { kind, ...imprint, tax_number: taxNumber };
  await db
    .insertInto('seller_declarations')
    .values({ user_id: userId, ...said })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ ...said, declared_at: SHOP_NOW }))
    .execute();
};

/** Forgets as what somebody sold who has left; which terms they accepted is kept with their orders. */
export const deleteDeclaration = async (trx: Trx, userId: string): Promise<void> => {
  await trx.deleteFrom('seller_declarations').where('user_id', '=', userId).execute();
};

/** Which wording somebody accepted, as what, and when; the first one first. */
export const listAcceptances = (
  db: Db,
  userId: string,
): Promise<{ role: 'buyer' | 'seller'; version: string; acceptedAt: Date }[]> =>
  db
    .selectFrom('terms_acceptances')
    .select(['role', 'version', 'accepted_at as acceptedAt'])
    .where('user_id', '=', userId)
    .orderBy('accepted_at')
    .orderBy('role')
    .execute();

/** Whether somebody accepted a wording as a seller. */
export const hasAccepted = async (db: Db, userId: string, version: string): Promise<boolean> =>
  (await db
    .selectFrom('terms_acceptances')
    .select('version')
    .where('user_id', '=', userId)
    .where('role', '=', 'seller')
    .where('version', '=', version)
    .executeTakeFirst()) !== undefined;

/** Writes down that somebody accepted the terms in force; once for a version. */
export const insertAcceptance = async (db: Db, userId: string, role: 'buyer' | 'seller'): Promise<void> => {
  await sql`INSERT INTO terms_acceptances (user_id, role, version)
    SELECT ${userId}, ${role}, t.version FROM terms_in_force() AS t (version) WHERE t.version IS NOT NULL
    ON CONFLICT DO NOTHING`.execute(db);
};

/**
 * Puts a wording of the terms in force; false where its version was another wording before. The same one again changes
 * nothing.
 */
export const putInForce = async (db: Db, { version, words }: { version: string; words: string }): Promise<boolean> => {
  const { rows } = await sql<{ isSame: boolean }>`
    WITH last AS (SELECT terms_in_force() AS version),
    put AS (
      INSERT INTO terms_versions (version, words) SELECT ${version}, ${words} FROM last
        WHERE last.version IS DISTINCT FROM ${version}
      ON CONFLICT (version) DO UPDATE SET in_force_at = now())
    SELECT words = ${words} AS "isSame" FROM terms_versions WHERE version = ${version}`.execute(db);
  return rows[0]?.isSame ?? true;
};
