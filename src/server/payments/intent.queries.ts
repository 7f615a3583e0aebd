import { sql } from 'kysely';
import type { Db, Trx } from '#server/platform/db.ts';

export interface Intent {
  readonly bookingId: string;
  readonly n: number;
  readonly amountCents: number;
  readonly currency: string;
  readonly providerId: string | null;
  readonly state: 'live' | 'succeeded' | 'cancelled';
}

const COLUMNS = [
  'booking_id as bookingId',
  'n',
  'amount_cents as amountCents',
  'currency',
  'provider_id as providerId',
  'state',
] as const;

/** The booking's intent that could still take money; at most one by a unique index. */
export const findLiveIntent = (db: Db, bookingId: string): Promise<Intent | undefined> =>
  db
    .selectFrom('payment_intents')
    .select(COLUMNS)
    .where('booking_id', '=', bookingId)
    .where('state', '=', 'live')
    .executeTakeFirst();

export const findIntent = (db: Db, bookingId: string, n: number): Promise<Intent | undefined> =>
  db
    .selectFrom('payment_intents')
    .select(COLUMNS)
    .where('booking_id', '=', bookingId)
    .where('n', '=', n)
    .executeTakeFirst();

/** Writes down the next intent of a booking before the provider hears of it. The caller holds the booking's row lock. */
export const insertNextIntent = (trx: Trx, bookingId: string, amountCents: number): Promise<Intent> =>
  trx
    .insertInto('payment_intents')
    .values({
      booking_id: bookingId,
      n: sql<number>`(SELECT coalesce(max(n), 0) + 1 FROM payment_intents WHERE booking_id = ${bookingId})`,
      amount_cents: amountCents,
      provider_id: null,
    })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();

/** Notes the provider's id of an intent whose row was there first; harmless when known. */
export const saveProviderId = async (db: Db, intent: { bookingId: string; n: number }, id: string): Promise<void> => {
  await db
    .updateTable('payment_intents')
    .set({ provider_id: id })
    .where('booking_id', '=', intent.bookingId)
    .where('n', '=', intent.n)
    .where('provider_id', 'is', null)
    .execute();
};

export const markIntent = async (
  db: Db,
  intent: { bookingId: string; n: number },
  state: 'succeeded' | 'cancelled',
): Promise<void> => {
  await db
    .updateTable('payment_intents')
    .set({ state })
    .where('booking_id', '=', intent.bookingId)
    .where('n', '=', intent.n)
    .where('state', '=', 'live')
    .execute();
};

export const findPayment = (db: Db, bookingId: string): Promise<{ id: string; providerId: string } | undefined> =>
  db
    .selectFrom('payments')
    .select(['id', 'provider_id as providerId'])
    .where('booking_id', '=', bookingId)
    .executeTakeFirst();

export const insertPayment = async (
  trx: Trx,
  payment: { bookingId: string; providerId: string; amountCents: number; currency: string },
): Promise<string> => {
  const row = await trx
    .insertInto('payments')
    .values({
      booking_id: payment.bookingId,
      provider_id: payment.providerId,
      amount_cents: payment.amountCents,
      currency: payment.currency,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
};

/** Notes an event of the provider; answers false when it was noted before. */
export const insertEvent = async (trx: Trx, event: { id: string; type: string }): Promise<boolean> => {
  const result = await trx
    .insertInto('provider_events')
    .values({ id: event.id, type: event.type })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
};
