import { sql } from 'kysely';
import type { ListingStatus } from '#contract/catalog/catalog.ts';
import { MAX_UNPAID_HOLDS } from '#contract/bookings/bookings.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';
import { queryPrepared } from '#server/platform/postgres/query.ts';

/** Takes the last place in a line, unless the buyer stands in it. The caller has locked the copy's row. */
export const insertWaitlistEntry = async (trx: Trx, listingId: string, buyerId: string): Promise<void> => {
  await trx
    .insertInto('waitlist_entries')
    .values({ listing_id: listingId, buyer_id: buyerId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
};

/** Gives a place up; answers whether there was one. */
export const deleteWaitlistEntry = async (db: Db, listingId: string, buyerId: string): Promise<boolean> => {
  const remove = db
    .deleteFrom('waitlist_entries')
    .where('listing_id', '=', listingId)
    .where('buyer_id', '=', buyerId)
    .returning('id');
  return (await queryPrepared(db, 'delete_place', remove)).length > 0;
};

/** Gives up every place of a user. */
export const deleteWaitlistEntriesOf = async (trx: Trx, buyerId: string): Promise<void> => {
  await trx.deleteFrom('waitlist_entries').where('buyer_id', '=', buyerId).execute();
};

/** Ends a line; answers who stood in it. */
export const deleteWaitlist = async (
  trx: Trx,
  listingId: string,
): Promise<{ email: string; name: string; id: string }[]> => {
  const { rows } = await sql<{ email: string; name: string; id: string }>`
    WITH gone AS (DELETE FROM waitlist_entries WHERE listing_id = ${listingId} RETURNING id, buyer_id)
    SELECT u.email, u.name, gone.id::text FROM gone JOIN users u ON u.id = gone.buyer_id WHERE u.deleted_at IS NULL
    ORDER BY gone.id`.execute(trx);
  return rows;
};

export const countWaitlistEntriesOf = async (trx: Trx, buyerId: string): Promise<number> => {
  const row = await trx
    .selectFrom('waitlist_entries')
    .select(sql<number>`count(*)::integer`.as('count'))
    .where('buyer_id', '=', buyerId)
    .executeTakeFirstOrThrow();
  return row.count;
};

/** How many stand in a line, and where the buyer does: 1 is the next, null is nowhere. */
export const readPlace = async (
  db: Db,
  listingId: string,
  buyerId: string,
): Promise<{ waiting: number; place: number | null }> =>
  db
    .selectFrom('waitlist_entries as p')
    .leftJoin('waitlist_entries as own', (join) =>
      join.onRef('own.listing_id', '=', 'p.listing_id').on('own.buyer_id', '=', buyerId),
    )
    .select([
      sql<number>`count(*)::integer`.as('waiting'),
      sql<number | null>`nullif(count(*) FILTER (WHERE p.id <= own.id), 0)::integer`.as('place'),
    ])
    .where('p.listing_id', '=', listingId)
    .executeTakeFirstOrThrow();

export const isSomebodyWaiting = async (trx: Trx, listingId: string): Promise<boolean> => {
  const row = await trx
    .selectFrom('waitlist_entries')
    .select('id')
    .where('listing_id', '=', listingId)
    .executeTakeFirst();
  return row !== undefined;
};

/** Those of these copies that somebody waits for. */
export const listWaitedFor = async (
  trx: Trx,
  listingIds: readonly string[],
): Promise<{ listingId: string; title: string }[]> => {
  if (listingIds.length === 0) return [];
  return trx
    .selectFrom('waitlist_entries as p')
    .innerJoin('listings as l', 'l.id', 'p.listing_id')
    .select(['l.id as listingId', 'l.title'])
    .distinct()
    .where('p.listing_id', 'in', [...listingIds])
    .execute();
};

export interface FirstWaiting {
  readonly buyerId: string;
  readonly name: string;
  readonly email: string;
}

/** The first in line who may have the copy now: a buyer still, with less than five books to pay for. */
export const findFirstWaiting = (db: Db, listingId: string): Promise<FirstWaiting | undefined> =>
  db
    .selectFrom('waitlist_entries as p')
    .innerJoin('users as u', 'u.id', 'p.buyer_id')
    .select(['p.buyer_id as buyerId', 'u.name', 'u.email'])
    .where('p.listing_id', '=', listingId)
    .where('u.deleted_at', 'is', null)
    .where('u.is_buyer', '=', true)
    .where((eb) =>
      eb(
        eb
          .selectFrom('holds as h')
          .select(sql<number>`count(*)::integer`.as('count'))
          .whereRef('h.buyer_id', '=', 'p.buyer_id'),
        '<',
        MAX_UNPAID_HOLDS,
      ),
    )
    .orderBy('p.id')
    .executeTakeFirst();

/** Where and when a buyer last wanted to be reached; empty before their first booking. */
export const readLastContact = async (trx: Trx, buyerId: string): Promise<{ phone: string; location: string }> => {
  const row = await trx
    .selectFrom('bookings')
    .select(['phone', 'location'])
    .where('buyer_id', '=', buyerId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .executeTakeFirst();
  return row ?? { phone: '', location: '' };
};

export interface WaitlistRow {
  readonly listingId: string;
  readonly title: string;
  readonly authors: string;
  readonly image_url: string;
  readonly price: number;
  readonly status: ListingStatus;
  readonly place: number;
  readonly waiting: number;
  readonly joinedAt: Date;
}

/** The places of a buyer, the longest wait first. */
export const listWaitlistRows = (db: Db, buyerId: string): Promise<WaitlistRow[]> =>
  db
    .selectFrom('waitlist_entries as p')
    .innerJoin('listings as l', 'l.id', 'p.listing_id')
    .select([
      'p.listing_id as listingId',
      'l.title',
      'l.authors',
      sql<string>`picture_address(l.image_url)`.as('image_url'),
      sql<number>`l.resale_cents / 100.0::float8`.as('price'),
      sql<ListingStatus>`listing_status(l.status)`.as('status'),
      sql<number>`(SELECT count(*)::integer FROM waitlist_entries o WHERE o.listing_id = p.listing_id AND o.id <= p.id)`.as(
        'place',
      ),
      sql<number>`(SELECT count(*)::integer FROM waitlist_entries o WHERE o.listing_id = p.listing_id)`.as('waiting'),
      'p.joined_at as joinedAt',
    ])
    .where('p.buyer_id', '=', buyerId)
    .orderBy('p.id')
    .execute();
