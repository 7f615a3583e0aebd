import { sql } from 'kysely';
import type { PayoutRequirement } from '#contract/money/payouts.ts';
import { REAL_NOW } from '#server/platform/postgres/clock.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';
import type { PayoutAccountStatus } from './payouts.table.ts';

/** Where a seller is paid, and whom to tell. */
export interface PayoutAccount {
  readonly sellerId: string;
  /** Which of the accounts ever asked for it is. */
  readonly n: number;
  readonly accountId: string | null;
  readonly country: string | null;
  readonly status: PayoutAccountStatus;
  readonly requirements: readonly PayoutRequirement[];
  readonly checkedAt: Date | null;
  readonly scheduledAt: Date | null;
  readonly readyAt: Date | null;
  readonly waitingSince: Date | null;
  readonly toldDays: number | null;
  readonly email: string;
  readonly name: string;
  readonly isGone: boolean;
  /** Suspended, or the shop does not know who they are: they are paid nothing until that ends. */
  readonly isHeldBack: boolean;
}

const accounts = (db: Db) =>
  db
    .selectFrom('payout_accounts as a')
    .innerJoin('users as u', 'u.id', 'a.seller_id')
    .select([
      'a.seller_id as sellerId',
      'a.n',
      'a.account_id as accountId',
      'a.country',
      'a.status',
      'a.requirements',
      'a.checked_at as checkedAt',
      'a.scheduled_at as scheduledAt',
      'a.ready_at as readyAt',
      'a.waiting_since as waitingSince',
      'a.told_days as toldDays',
      'u.email',
      'u.name',
      sql<boolean>`u.deleted_at IS NOT NULL`.as('isGone'),
      sql<boolean>`(is_suspended(u.id) OR is_unidentified(u.id))`.as('isHeldBack'),
    ]);

export const findPayoutAccount = (db: Db, sellerId: string): Promise<PayoutAccount | undefined> =>
  accounts(db).where('a.seller_id', '=', sellerId).executeTakeFirst();

/** Whose an account at the provider is. */
export const findSellerOf = async (db: Db, accountId: string): Promise<string | undefined> => {
  const row = await db
    .selectFrom('payout_accounts')
    .select('seller_id as sellerId')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row?.sellerId;
};

export const lockPayoutAccount = (trx: Trx, sellerId: string): Promise<PayoutAccount | undefined> =>
  accounts(trx).where('a.seller_id', '=', sellerId).forUpdate('a').executeTakeFirst();

/** Has somebody look whether to pay a seller at a time by the shop's clock; undefined: once something has changed. */
export const setNextLook = async (trx: Trx, sellerId: string, at: Date | undefined): Promise<void> => {
  await trx
    .updateTable('payout_accounts')
    .set({ look_at: at ?? null })
    .where('seller_id', '=', sellerId)
    .execute();
};

/** Sellers for whom something has changed, the longest ago first. */
export const listSellersToLookAt = async (db: Db, limit: number): Promise<string[]> => {
  const rows = await db
    .selectFrom('payout_accounts')
    .select('seller_id as sellerId')
    .where('look_at', '<=', sql<Date>`(SELECT shop_now())`)
    .orderBy('look_at')
    .limit(limit)
    .execute();
  return rows.map(({ sellerId }) => sellerId);
};

/** Writes down that a seller wants an account in a country, before the provider is asked for it. */
export const beginAccount = async (trx: Trx, sellerId: string, country: string): Promise<PayoutAccount> => {
  await sql`
    INSERT INTO payout_accounts AS a (seller_id, country) VALUES (${sellerId}, ${country})
    ON CONFLICT (seller_id) DO UPDATE SET country = ${country},
      n = a.n + CASE WHEN a.country <> ${country} THEN 1 ELSE 0 END
    WHERE a.account_id IS NULL`.execute(trx);
  return accounts(trx).where('a.seller_id', '=', sellerId).executeTakeFirstOrThrow();
};

/** The provider's refusal is repeated to the same key: the next try has another number. */
export const countRefusedAccount = async (db: Db, { sellerId, n }: PayoutAccount): Promise<void> => {
  await db
    .updateTable('payout_accounts')
    .set({ n: n + 1 })
    .where('seller_id', '=', sellerId)
    .where('n', '=', n)
    .where('account_id', 'is', null)
    .execute();
};

/** Notes the account that the provider made. */
export const saveAccount = async (trx: Trx, sellerId: string, accountId: string): Promise<void> => {
  await trx
    .updateTable('payout_accounts')
    .set({ account_id: accountId, status: 'pending' })
    .where('seller_id', '=', sellerId)
    .where('account_id', 'is', null)
    .execute();
};

/** Notes what the provider says of an account; where that changes whether it can be paid, somebody looks. */
export const saveAccountFacts = async (
  trx: Trx,
  sellerId: string,
  facts: { status: PayoutAccountStatus; requirements: readonly PayoutRequirement[] },
): Promise<void> => {
  await sql`
    UPDATE payout_accounts SET checked_at = ${REAL_NOW}, requirements = ${JSON.stringify(facts.requirements)}::jsonb,
      ready_at = CASE WHEN ${facts.status} <> 'active' THEN NULL WHEN status <> 'active' THEN shop_now() ELSE ready_at END,
      look_at = CASE WHEN status <> ${facts.status} THEN shop_now() ELSE look_at END,
      status = ${facts.status}
    WHERE seller_id = ${sellerId}`.execute(trx);
};

export const markScheduled = async (db: Db, sellerId: string): Promise<void> => {
  await db.updateTable('payout_accounts').set({ scheduled_at: REAL_NOW }).where('seller_id', '=', sellerId).execute();
};

/** Notes since when money waits for details, and after how many days its seller was told; null where nothing waits. */
export const setWaiting = async (
  trx: Trx,
  sellerId: string,
  waiting: { since: Date; toldDays: number } | null,
): Promise<void> => {
  await trx
    .updateTable('payout_accounts')
    .set({ waiting_since: waiting?.since ?? null, told_days: waiting?.toldDays ?? null })
    .where('seller_id', '=', sellerId)
    .execute();
};

/** Has an account asked about at once; false where it is none of ours. */
export const askAboutAccount = async (trx: Trx, accountId: string): Promise<boolean> => {
  const result = await trx
    .updateTable('payout_accounts')
    .set({ checked_at: null })
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
};

/**
 * Takes accounts to ask about, of several processes one each: those of which an event told, and where it is said those
 * that were not asked about for so many seconds.
 */
export const takeAccountsToAsk = async (
  db: Db,
  olderThan: { unreadySeconds: number; readySeconds: number } | undefined,
  limit: number,
): Promise<{ sellerId: string }[]> => {
  const old = (seconds: number) => sql`checked_at < ${REAL_NOW} - make_interval(secs => ${seconds})`;
  const isOld =
    olderThan === undefined
      ? sql`false`
      : sql`(${old(olderThan.readySeconds)} OR (status <> 'active' AND ${old(olderThan.unreadySeconds)}))`;
  const { rows } = await sql<{ sellerId: string }>`
    UPDATE payout_accounts SET checked_at = ${REAL_NOW} WHERE seller_id IN (
      SELECT seller_id FROM payout_accounts
      WHERE account_id IS NOT NULL AND (checked_at IS NULL OR ${isOld})
      ORDER BY checked_at NULLS FIRST LIMIT ${limit} FOR UPDATE SKIP LOCKED)
    RETURNING seller_id AS "sellerId"`.execute(db);
  return rows;
};

/** Has every seller looked at: what no posting tells, such as one who came back. */
export const lookAtAll = async (db: Db): Promise<void> => {
  await sql`UPDATE payout_accounts SET look_at = shop_now() WHERE look_at IS NULL`.execute(db);
};
