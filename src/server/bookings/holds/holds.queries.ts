import { sql, type SqlBool } from 'kysely';
import { REAL_NOW } from '#server/platform/postgres/clock.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';
import { prepared, query, queryPrepared } from '#server/platform/postgres/query.ts';

export interface Hold {
  readonly bookingId: string;
  readonly listingId: string;
  readonly expiresAt: Date;
  readonly lapsed: boolean;
  readonly releasing: boolean;
}

/** A hold lasts so many times its minutes, however often it is renewed. */
export const MOST_TIMES = 2;
/** Past its time it is kept for so long at most while the bank asks its buyer, and so much longer at a time. */
const CONFIRMING_MINUTES = 10;
const KEPT_MINUTES = 1;

const expiry = (minutes: number) => sql<Date>`shop_now() + make_interval(mins => ${minutes})`;

const LOCK_HOLDS = prepared('lock_holds', 'SELECT pg_advisory_xact_lock(hashtextextended($1::text, 0))');

/** Takes the advisory lock of a buyer's holds until the transaction ends: a later statement counts them exactly. */
export const lockBuyerHolds = async (trx: Trx, buyerId: string): Promise<void> => {
  await query(trx, LOCK_HOLDS, [`holds:${buyerId}`]);
};

/** How many copies a buyer claims at this moment, except the one of `exceptBookingId`. */
export const countHolds = async (trx: Trx, buyerId: string, exceptBookingId: string): Promise<number> => {
  const row = await trx
    .selectFrom('holds')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('buyer_id', '=', buyerId)
    .where('booking_id', '!=', exceptBookingId)
    .executeTakeFirstOrThrow();
  return Number(row.count);
};

const ROOM_FOR_HOLD = prepared(
  'room_for_hold',
  `SELECT count(*)::integer AS held, shop_now() + make_interval(mins => $2::integer) AS "expiresAt"
  FROM holds WHERE buyer_id = $1`,
);

/** How many copies a buyer claims now, and when a claim for `minutes` ends that is taken in this transaction. */
export const readRoomForHold = async (
  trx: Trx,
  buyerId: string,
  minutes: number,
): Promise<{ held: number; expiresAt: Date }> => {
  const [row] = await query<{ held: number; expiresAt: Date }>(trx, ROOM_FOR_HOLD, [buyerId, minutes]);
  if (row === undefined) throw new Error('holds were not counted');
  return row;
};

/** A title in a sentence is no longer than this. */
const SHORT_TITLE = 60;

/** What a buyer claims at this moment, by title, what ends first at the front. */
export const listHeldTitles = async (trx: Trx, buyerId: string): Promise<string[]> => {
  const rows = await trx
    .selectFrom('holds as h')
    .innerJoin('bookings as b', 'b.id', 'h.booking_id')
    .select('b.title')
    .where('h.buyer_id', '=', buyerId)
    .orderBy('h.expires_at')
    .execute();
  return rows.map(({ title }) => (title.length > SHORT_TITLE ? `${title.slice(0, SHORT_TITLE - 1)}…` : title));
};

/** The hold on a copy, locked until the transaction ends. */
export const lockHoldOfListing = (trx: Trx, listingId: string): Promise<Hold | undefined> =>
  trx
    .selectFrom('holds')
    .select((eb) => [
      'booking_id as bookingId',
      'listing_id as listingId',
      'expires_at as expiresAt',
      sql<boolean>`expires_at <= shop_now()`.as('lapsed'),
      eb('releasing_at', 'is not', null).as('releasing'),
    ])
    .where('listing_id', '=', listingId)
    .forUpdate()
    .executeTakeFirst()
    .then((row) => row && { ...row, releasing: Boolean(row.releasing) });

/** Until when a copy is claimed; undefined where it is not. */
export const findHoldEnd = async (db: Db, listingId: string): Promise<Date | undefined> => {
  const row = await db.selectFrom('holds').select('expires_at').where('listing_id', '=', listingId).executeTakeFirst();
  return row?.expires_at;
};

/** Claims a copy for a booking for `minutes` by the shop's clock; answers when the claim ends. */
export const insertHold = async (
  trx: Trx,
  hold: { listingId: string; bookingId: string; buyerId: string; minutes: number },
): Promise<Date> => {
  const insert = trx
    .insertInto('holds')
    .values({
      listing_id: hold.listingId,
      booking_id: hold.bookingId,
      buyer_id: hold.buyerId,
      expires_at: expiry(hold.minutes),
      renewable_until: expiry(MOST_TIMES * hold.minutes),
      releasing_at: null,
    })
    .returning('expires_at');
  const [row] = await queryPrepared(trx, 'insert_hold', insert);
  if (row === undefined) throw new Error('a hold was not written');
  return row.expires_at;
};

/** Says that a hold may be renewed for so long after its time, and no longer. */
export const allowRenewal = async (trx: Trx, bookingId: string, minutes: number): Promise<void> => {
  await trx
    .updateTable('holds')
    .set({ renewable_until: sql<Date>`expires_at + make_interval(mins => ${minutes})` })
    .where('booking_id', '=', bookingId)
    .execute();
};

/** Gives a hold its full time again, as far as it may be renewed; answers when it ends, undefined when it is over. */
export const renewHold = async (trx: Trx, bookingId: string, minutes: number): Promise<Date | undefined> => {
  const row = await trx
    .updateTable('holds')
    .set({
      expires_at: sql<Date>`greatest(expires_at, least(${expiry(minutes)}, coalesce(renewable_until, expires_at)))`,
    })
    .where('booking_id', '=', bookingId)
    .returning(['expires_at', sql<boolean>`expires_at <= shop_now()`.as('isOver')])
    .executeTakeFirstOrThrow();
  return row.isOver ? undefined : row.expires_at;
};

/** Keeps a hold that is being released for another minute; false once it was kept as long as it may be. */
export const keepWhileConfirmed = async (trx: Trx, bookingId: string): Promise<boolean> => {
  const row = await trx
    .updateTable('holds')
    .set({
      expires_at: expiry(KEPT_MINUTES),
      releasing_at: null,
      confirming_since: sql<Date>`coalesce(confirming_since, shop_now())`,
    })
    .where('booking_id', '=', bookingId)
    .where(
      sql<SqlBool>`coalesce(confirming_since, shop_now()) > shop_now() - make_interval(mins => ${CONFIRMING_MINUTES})`,
    )
    .returning('booking_id')
    .executeTakeFirst();
  return row !== undefined;
};

/** Whether a booking's price is still the one its copy is offered at. */
export const isOfferedPrice = async (trx: Trx, bookingId: string): Promise<boolean> => {
  const row = await trx
    .selectFrom('bookings as b')
    .innerJoin('listings as l', 'l.id', 'b.listing_id')
    .select(sql<boolean>`b.price_cents = l.resale_cents`.as('same'))
    .where('b.id', '=', bookingId)
    .executeTakeFirstOrThrow();
  return row.same;
};

/** Marks that the provider is being asked to cancel, until when nobody else need ask. */
export const markReleasing = async (trx: Trx, bookingId: string): Promise<void> => {
  await trx.updateTable('holds').set({ releasing_at: REAL_NOW }).where('booking_id', '=', bookingId).execute();
};

/** Removes a booking's hold; answers when it would have ended, or undefined when there was none. */
export const deleteHold = async (trx: Trx, bookingId: string): Promise<Date | undefined> => {
  const row = await trx
    .deleteFrom('holds')
    .where('booking_id', '=', bookingId)
    .returning('expires_at')
    .executeTakeFirst();
  return row?.expires_at;
};

/** Who holds a copy, if anybody does. */
export const findHolder = async (db: Db, listingId: string): Promise<string | undefined> => {
  const row = await db.selectFrom('holds').select('buyer_id').where('listing_id', '=', listingId).executeTakeFirst();
  return row?.buyer_id;
};

/** The running hold of a user on a copy. */
export const findHoldOf = (db: Db, listingId: string, buyerId: string): Promise<{ bookingId: string } | undefined> =>
  db
    .selectFrom('holds')
    .select('booking_id as bookingId')
    .where('listing_id', '=', listingId)
    .where('buyer_id', '=', buyerId)
    .where('expires_at', '>', sql<Date>`shop_now()`)
    .executeTakeFirst();

/** Bookings of a buyer that hold a copy at this moment. */
export const findHoldsOfBuyer = (db: Db, buyerId: string): Promise<{ bookingId: string }[]> =>
  db.selectFrom('holds').select('booking_id as bookingId').where('buyer_id', '=', buyerId).execute();

/** Which holds are looked for: one, those that a payment could still land on, or those that none can. */
export interface HoldFilter {
  readonly bookingId?: string;
  readonly withIntent?: boolean;
}

/** Bookings whose hold lapsed, or whose release was begun and not ended within `leaseSeconds`; oldest first. */
export const findHoldsToRelease = (
  db: Db,
  leaseSeconds: number,
  limit: number,
  { bookingId, withIntent }: HoldFilter = {},
): Promise<{ bookingId: string }[]> => {
  const intent = sql<SqlBool>`EXISTS (SELECT FROM checkout_bookings AS c WHERE c.booking_id = holds.booking_id AND c.is_live)`;
  return db
    .selectFrom('holds')
    .select('booking_id as bookingId')
    .where((eb) =>
      eb.or([
        eb.and([eb('releasing_at', 'is', null), eb('expires_at', '<=', sql<Date>`shop_now()`)]),
        eb('releasing_at', '<', sql<Date>`${REAL_NOW} - make_interval(secs => ${leaseSeconds})`),
      ]),
    )
    .$if(bookingId !== undefined, (query) => query.where('booking_id', '=', bookingId ?? ''))
    .$if(withIntent !== undefined, (query) => query.where(sql<SqlBool>`${intent} = ${withIntent === true}`))
    .orderBy('expires_at')
    .limit(limit)
    .execute();
};
