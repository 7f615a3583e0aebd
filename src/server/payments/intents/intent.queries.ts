import { sql } from 'kysely';
import { REAL_NOW } from '#server/platform/postgres/clock.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';
import { queryPrepared } from '#server/platform/postgres/query.ts';
import type { IntentMove } from './intent-moves.ts';
import { INTENT_MOVES } from './intent-moves.ts';
import type { IntentState } from '#server/payments/payments.table.ts';

export interface Intent {
  /** The first of the bookings it pays for. */
  readonly bookingId: string;
  readonly checkoutId: string;
  readonly n: number;
  readonly amountCents: number;
  readonly currency: string;
  readonly providerId: string | null;
  readonly state: IntentState;
  readonly isProcessing: boolean;
  readonly writtenAt: Date;
}

type IntentName = Pick<Intent, 'bookingId' | 'n'>;

const COLUMNS = [
  'payment_intents.booking_id as bookingId',
  'payment_intents.checkout_id as checkoutId',
  'n',
  'amount_cents as amountCents',
  'currency',
  'provider_id as providerId',
  'state',
  sql<boolean>`processing_at IS NOT NULL`.as('isProcessing'),
  'payment_intents.created_at as writtenAt',
] as const;

/** The intents that could still take money for any of these bookings; at most one a booking by a unique index. */
export const findLiveIntents = (db: Db, bookingIds: readonly string[]): Promise<Intent[]> =>
  db
    .selectFrom('payment_intents')
    .select(COLUMNS)
    .where('state', '=', 'live')
    .where('checkout_id', 'in', (eb) =>
      eb
        .selectFrom('checkout_bookings')
        .select('checkout_id')
        .where('booking_id', 'in', [...bookingIds])
        .where('is_live', '=', true),
    )
    .execute();

export const findIntent = async (db: Db, bookingId: string, n: number): Promise<Intent | undefined> => {
  const select = db
    .selectFrom('payment_intents')
    .select(COLUMNS)
    .where('booking_id', '=', bookingId)
    .where('n', '=', n);
  return (await queryPrepared(db, 'find_intent', select))[0];
};

/**
 * Writes down the next intent of a checkout before the provider hears of it. The caller holds the row locks of its
 * bookings, of which `bookingId` is the first.
 */
export const insertNextIntent = (
  trx: Trx,
  { bookingId, checkoutId, amountCents }: Pick<Intent, 'bookingId' | 'checkoutId' | 'amountCents'>,
): Promise<Intent> =>
  trx
    .insertInto('payment_intents')
    .values({
      booking_id: bookingId,
      checkout_id: checkoutId,
      n: sql<number>`(SELECT coalesce(max(n), 0) + 1 FROM payment_intents WHERE booking_id = ${bookingId})`,
      amount_cents: amountCents,
      provider_id: null,
    })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();

/** Notes the provider's id of an intent whose row was there first; harmless when known. */
export const saveProviderId = async (db: Db, intent: IntentName, id: string): Promise<void> => {
  await db
    .updateTable('payment_intents')
    .set({ provider_id: id })
    .where('booking_id', '=', intent.bookingId)
    .where('n', '=', intent.n)
    .where('provider_id', 'is', null)
    .execute();
};

/** Moves an intent, by the provider's word, to where it may go from where it is; harmless when it is there. */
export const moveIntent = async (db: Db, intent: IntentName, to: IntentMove): Promise<void> => {
  await db
    .updateTable('payment_intents')
    .set({ state: to, processing_at: null })
    .where('booking_id', '=', intent.bookingId)
    .where('n', '=', intent.n)
    .where('state', 'in', [...INTENT_MOVES[to]])
    .execute();
};

/** Notes whether the provider has the money of a live intent on its way. */
export const markProcessing = async (db: Db, intent: IntentName, isProcessing: boolean): Promise<void> => {
  await db
    .updateTable('payment_intents')
    .set({ processing_at: isProcessing ? sql<Date>`coalesce(processing_at, ${REAL_NOW})` : null })
    .where('booking_id', '=', intent.bookingId)
    .where('n', '=', intent.n)
    .where('state', '=', 'live')
    .execute();
};

/** Stops every intent with which a buyer could try another card; those under way run out. */
export const stopIntentsOf = async (trx: Trx, buyerId: string): Promise<void> => {
  await trx
    .updateTable('payment_intents as i')
    .from('bookings as b')
    .set({ stopped_at: REAL_NOW })
    .whereRef('b.id', '=', 'i.booking_id')
    .where('b.buyer_id', '=', buyerId)
    .where('i.state', '=', 'live')
    .where('i.stopped_at', 'is', null)
    .execute();
};

/** Seconds until a buyer whose cards failed too often may try again; null when they may. */
export const secondsStopped = async (db: Db, buyerId: string, stopSeconds: number): Promise<number | null> => {
  const row = await db
    .selectFrom('payment_intents as i')
    .innerJoin('bookings as b', 'b.id', 'i.booking_id')
    .select(
      sql<
        number | null
      >`ceil(extract(epoch FROM max(i.stopped_at) + make_interval(secs => ${stopSeconds}) - ${REAL_NOW}))::integer`.as(
        'seconds',
      ),
    )
    .where('b.buyer_id', '=', buyerId)
    .where('i.stopped_at', '>', sql<Date>`${REAL_NOW} - make_interval(secs => ${stopSeconds})`)
    .executeTakeFirst();
  return row?.seconds ?? null;
};

/** The same intents with the addresses their first bookings were made with, which the provider was told. */
export const withEmails = (db: Db, intents: readonly Intent[]): Promise<(Intent & { email: string })[]> =>
  Promise.all(
    intents.map(async (intent) => {
      const { email } = await db
        .selectFrom('bookings')
        .select('buyer_email as email')
        .where('id', '=', intent.bookingId)
        .executeTakeFirstOrThrow();
      return { ...intent, email };
    }),
  );

/** Live intents that are stopped and not cancelled yet, with what is needed to learn their id. */
export const findStoppedIntents = (db: Db, limit: number): Promise<(Intent & { email: string })[]> =>
  db
    .selectFrom('payment_intents')
    .innerJoin('bookings', 'bookings.id', 'payment_intents.booking_id')
    .select([...COLUMNS, 'bookings.buyer_email as email'])
    .where('state', '=', 'live')
    .where('stopped_at', 'is not', null)
    .where('processing_at', 'is', null)
    .orderBy('stopped_at')
    .limit(limit)
    .execute();

/**
 * Writes a failed card down under the event that told of it; answers how many failed for its buyer within
 * `withinSeconds`.
 */
export const insertFailure = async (
  trx: Trx,
  failure: IntentName & { eventId: string; buyerId: string; withinSeconds: number },
): Promise<number> => {
  await trx
    .insertInto('payment_failures')
    .values({ event_id: failure.eventId, booking_id: failure.bookingId, n: failure.n, buyer_id: failure.buyerId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const row = await trx
    .selectFrom('payment_failures')
    .select(sql<number>`count(*)::integer`.as('count'))
    .where('buyer_id', '=', failure.buyerId)
    .where('at', '>', sql<Date>`${REAL_NOW} - make_interval(secs => ${failure.withinSeconds})`)
    .executeTakeFirstOrThrow();
  return row.count;
};
