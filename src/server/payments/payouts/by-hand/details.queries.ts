import { sql } from 'kysely';
import type { BankAccountKind, BankAccountType } from '#contract/money/bank-details.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';

/** Where a seller has their money sent, as it is stored. */
export interface DetailsRow {
  readonly sellerId: string;
  readonly version: number;
  readonly kind: BankAccountKind;
  readonly country: string;
  readonly accountType: BankAccountType | null;
  readonly shown: string;
  readonly keyId: string;
  readonly sealed: Buffer;
  readonly enteredAt: Date;
  readonly pausedUntil: Date;
  readonly isPaused: boolean;
  readonly locked: string | null;
}

const details = (db: Db) =>
  db
    .selectFrom('payout_details')
    .select([
      'seller_id as sellerId',
      'version',
      'kind',
      'country',
      'account_type as accountType',
      'shown',
      'key_id as keyId',
      'sealed',
      'entered_at as enteredAt',
      'paused_until as pausedUntil',
      sql<boolean>`paused_until > shop_now()`.as('isPaused'),
      'locked',
    ]);

export const findDetails = (db: Db, sellerId: string): Promise<DetailsRow | undefined> =>
  details(db).where('seller_id', '=', sellerId).executeTakeFirst();

export interface NewDetails {
  readonly sellerId: string;
  readonly kind: BankAccountKind;
  readonly country: string;
  readonly accountType: BankAccountType | null;
  readonly shown: string;
  readonly keyId: string;
  readonly sealed: Buffer;
  readonly fingerprint: Buffer;
  readonly holdHours: number;
}

/** Writes other details down, for which payouts pause; answers how often this seller has entered some. */
export const saveDetails = async (trx: Trx, given: NewDetails): Promise<number> => {
  const row = await trx
    .insertInto('payout_details')
    .values({
      seller_id: given.sellerId,
      kind: given.kind,
      country: given.country,
      account_type: given.accountType,
      shown: given.shown,
      key_id: given.keyId,
      sealed: given.sealed,
      fingerprint: given.fingerprint,
      paused_until: sql<Date>`shop_now() + make_interval(hours => ${given.holdHours})`,
      locked: null,
    })
    .onConflict((conflict) =>
      conflict.column('seller_id').doUpdateSet((eb) => ({
        version: sql<number>`payout_details.version + 1`,
        kind: eb.ref('excluded.kind'),
        country: eb.ref('excluded.country'),
        account_type: eb.ref('excluded.account_type'),
        shown: eb.ref('excluded.shown'),
        key_id: eb.ref('excluded.key_id'),
        sealed: eb.ref('excluded.sealed'),
        fingerprint: eb.ref('excluded.fingerprint'),
        entered_at: eb.ref('excluded.entered_at'),
        paused_until: eb.ref('excluded.paused_until'),
        locked: null,
      })),
    )
    .returning('version')
    .executeTakeFirstOrThrow();
  return row.version;
};

/** The bank sent something back: these details, unless others were entered since, have to be entered anew. */
export const lockDetails = async (trx: Trx, sellerId: string, version: number, why: string): Promise<boolean> => {
  const result = await trx
    .updateTable('payout_details')
    .set({ locked: why })
    .where('seller_id', '=', sellerId)
    .where('version', '=', version)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
};

/** Details, or copies of them in batches, that another key than `keyId` has sealed; locked, to be sealed anew. */
export const lockOldSealed = async (
  trx: Trx,
  table: 'payout_details' | 'hand_payouts',
  keyId: string,
  limit: number,
): Promise<{ id: string; sellerId: string; keyId: string; sealed: Buffer }[]> => {
  const { rows } =
    table === 'payout_details'
      ? await sql<{ id: string; sellerId: string; keyId: string; sealed: Buffer }>`
          SELECT seller_id AS id, seller_id AS "sellerId", key_id AS "keyId", sealed FROM payout_details
          WHERE key_id <> ${keyId} ORDER BY seller_id LIMIT ${limit} FOR UPDATE SKIP LOCKED`.execute(trx)
      : await sql<{ id: string; sellerId: string; keyId: string; sealed: Buffer }>`
          SELECT h.payout_id AS id, p.seller_id AS "sellerId", h.key_id AS "keyId", h.sealed
          FROM hand_payouts h JOIN payouts p ON p.id = h.payout_id
          WHERE h.key_id <> ${keyId} AND h.sealed IS NOT NULL ORDER BY h.payout_id LIMIT ${limit}
          FOR UPDATE OF h SKIP LOCKED`.execute(trx);
  return rows;
};

export const resealDetails = async (
  trx: Trx,
  sellerId: string,
  given: { keyId: string; sealed: Buffer; fingerprint: Buffer },
): Promise<void> => {
  await trx
    .updateTable('payout_details')
    .set({ key_id: given.keyId, sealed: given.sealed, fingerprint: given.fingerprint })
    .where('seller_id', '=', sellerId)
    .execute();
};

export const resealCopy = async (
  trx: Trx,
  payoutId: string,
  given: { keyId: string; sealed: Buffer },
): Promise<void> => {
  await trx
    .updateTable('hand_payouts')
    .set({ key_id: given.keyId, sealed: given.sealed })
    .where('payout_id', '=', payoutId)
    .execute();
};

/**
 * Forgets where somebody who left had their money sent. Copies in batches stay for `days` after the money went, as a
 * bank may still ask; answers whether none is left.
 */
export const forgetDetails = async (db: Db, sellerId: string, days: number): Promise<boolean> => {
  await db.deleteFrom('payout_details').where('seller_id', '=', sellerId).execute();
  await sql`
    UPDATE hand_payouts h SET sealed = NULL FROM payouts p
    WHERE p.id = h.payout_id AND p.seller_id = ${sellerId} AND p.state <> 'asked'
      AND p.settled_at < shop_now() - make_interval(days => ${days}) AND h.sealed IS NOT NULL`.execute(db);
  const left = await db
    .selectFrom('hand_payouts as h')
    .innerJoin('payouts as p', 'p.id', 'h.payout_id')
    .select('h.payout_id')
    .where('p.seller_id', '=', sellerId)
    .where('h.sealed', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  return left === undefined;
};
