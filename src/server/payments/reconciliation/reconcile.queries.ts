import { sql } from 'kysely';
import { REAL_NOW } from '#server/platform/postgres/clock.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import type { IntentState } from '#server/payments/payments.table.ts';

export interface IntentToCompare {
  readonly providerId: string;
}

/** Live intents the provider knows, made at least `olderThanSeconds` ago: the oldest first, after the one named. */
export const listLiveIntents = (
  db: Db,
  page: { olderThanSeconds: number; after: string | undefined; limit: number },
): Promise<IntentToCompare[]> =>
  db
    .selectFrom('payment_intents')
    .select(sql<string>`provider_id`.as('providerId'))
    .where('state', '=', 'live')
    .where('provider_id', 'is not', null)
    .where('created_at', '<', sql<Date>`${REAL_NOW} - make_interval(secs => ${page.olderThanSeconds})`)
    .$if(page.after !== undefined, (query) => query.where('provider_id', '>', page.after ?? ''))
    .orderBy('provider_id')
    .limit(page.limit)
    .execute();

/** What our books say of an intent that the provider lists. */
export interface Known {
  readonly isBooking: boolean;
  /** Undefined where we wrote none of this number down. */
  readonly intent: { readonly providerId: string | null; readonly state: IntentState } | undefined;
  /** `refundedCents`: what went back by the provider, or is on its way there. */
  readonly payment: { readonly amountCents: number; readonly refundedCents: number } | undefined;
}

export const readKnown = async (db: Db, named: { id: string; bookingId: string; n: number }): Promise<Known> => {
  const { rows } = await sql<{
    booking: boolean;
    state: IntentState | null;
    providerId: string | null;
    amount: number | null;
    refunded: number | null;
  }>`
    SELECT b.id IS NOT NULL AS booking, i.state, i.provider_id AS "providerId", p.amount, p.refunded
    FROM (SELECT ${named.bookingId}::uuid AS id) AS named
      LEFT JOIN bookings AS b ON b.id = named.id
      LEFT JOIN payment_intents AS i ON i.booking_id = b.id AND i.n = ${named.n}
      LEFT JOIN (SELECT sum(amount_cents)::integer AS amount, (SELECT coalesce(sum(amount_cents), 0)::integer FROM refunds
            WHERE intent_id = ${named.id} AND state IN ('pending', 'done') AND by_hand_reference IS NULL AND dispute_id IS NULL) AS refunded
        FROM payments WHERE provider_id = ${named.id}) AS p ON true`.execute(db);
  const [row] = rows;
  return {
    isBooking: row?.booking === true,
    intent: row?.state == null ? undefined : { providerId: row.providerId, state: row.state },
    payment: row?.amount == null ? undefined : { amountCents: row.amount, refundedCents: row.refunded ?? 0 },
  };
};

/** When the first intent was written down; undefined before there was one. */
export const firstIntentAt = async (db: Db): Promise<Date | undefined> => {
  const row = await db
    .selectFrom('payment_intents')
    .select((eb) => eb.fn.min('created_at').as('at'))
    .executeTakeFirst();
  return row?.at ?? undefined;
};

/** What intents paid as the books have it, by the provider's id, after the one named. */
export const listPaymentsToCompare = (
  db: Db,
  page: { after: string | undefined; limit: number },
): Promise<{ providerId: string; amountCents: number; currency: string }[]> =>
  db
    .selectFrom('payments')
    .select(['provider_id as providerId', sql<number>`sum(amount_cents)::integer`.as('amountCents'), 'currency'])
    .$if(page.after !== undefined, (query) => query.where('provider_id', '>', page.after ?? ''))
    .groupBy(['provider_id', 'currency'])
    .orderBy('provider_id')
    .limit(page.limit)
    .execute();

/** Intents of which a refund is on its way at the provider. */
export const listPendingRefunds = async (db: Db, limit: number): Promise<string[]> => {
  const rows = await db
    .selectFrom('refunds')
    .select('intent_id as intentId')
    .distinct()
    .where('state', '=', 'pending')
    .limit(limit)
    .execute();
  return rows.map(({ intentId }) => intentId);
};

/** How many refunds of an intent could not be given back and wait for an admin. */
export const countFailedRefunds = async (db: Db, intentId: string): Promise<number> => {
  const row = await db
    .selectFrom('refunds')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('intent_id', '=', intentId)
    .where('state', '=', 'failed')
    .executeTakeFirstOrThrow();
  return Number(row.count);
};

/** Refunds that have been on their way at the provider for `days` and more, by the shop's clock. */
export const listLateRefunds = (db: Db, days: number, limit: number): Promise<{ intentId: string; cents: number }[]> =>
  db
    .selectFrom('refunds')
    .select(['intent_id as intentId', sql<number>`sum(amount_cents)::integer`.as('cents')])
    .where('state', '=', 'pending')
    .where(sql<boolean>`coalesce(pending_at, created_at) <= shop_now() - make_interval(days => ${days})`)
    .groupBy('intent_id')
    .orderBy('intent_id')
    .limit(limit)
    .execute();

export interface Run {
  readonly scope: 'unpaid' | 'all';
  readonly startedAt: Date;
  readonly lookedAt: number;
  readonly settled: number;
  readonly differences: number;
}

/**
 * Whether the last run of a scope ended longer ago than `seconds`, by the database's clock, and what time it is there.
 */
export const isDue = async (db: Db, scope: Run['scope'], seconds: number): Promise<{ due: boolean; now: Date }> => {
  const { rows } = await sql<{ due: boolean; now: Date }>`
    SELECT ${REAL_NOW} AS now, NOT EXISTS (
      SELECT FROM reconcile_runs WHERE scope = ${scope} AND ended_at > ${REAL_NOW} - make_interval(secs => ${seconds})) AS due`.execute(
    db,
  );
  const [row] = rows;
  if (row === undefined) throw new Error('the database answered nothing');
  return row;
};

export const insertRun = async (db: Db, run: Run): Promise<void> => {
  await db
    .insertInto('reconcile_runs')
    .values({
      scope: run.scope,
      started_at: run.startedAt,
      looked_at: run.lookedAt,
      settled: run.settled,
      differences: run.differences,
    })
    .execute();
};

/** Drops the record of frequent runs after a week. */
export const deleteOldRuns = async (db: Db): Promise<void> => {
  await db
    .deleteFrom('reconcile_runs')
    .where('scope', '=', 'unpaid')
    .where('ended_at', '<', sql<Date>`${REAL_NOW} - interval '7 days'`)
    .execute();
};

export interface RunRow extends Run {
  readonly endedAt: Date;
}

/** The last run of each scope. */
export const listLastRuns = (db: Db): Promise<RunRow[]> =>
  db
    .selectFrom('reconcile_runs')
    .distinctOn('scope')
    .select([
      'scope',
      'started_at as startedAt',
      'ended_at as endedAt',
      'looked_at as lookedAt',
      'settled',
      'differences',
    ])
    .orderBy('scope')
    .orderBy('ended_at', 'desc')
    .execute();
