import { sql } from 'kysely';
import { MAX_UNPAID_HOLDS } from '#contract/bookings/bookings.ts';
import type { OfferState } from '#contract/wants/want-states.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';
import { prepared, query } from '#server/platform/postgres/query.ts';

/** A want that a copy may fit, with its reader. */
export interface Candidate {
  readonly id: string;
  readonly userId: string;
  readonly name: string;
  readonly email: string;
  readonly near: string;
  readonly km: number;
  /** Where the copy is. */
  readonly location: string;
}

const FITS_TITLE = `w.isbn13 = '' AND w.title_key = ANY (title_keys(l.title))
  AND NOT EXISTS (SELECT FROM regexp_split_to_table(search_text(w.author), ' ') AS word
    WHERE length(word) > 1 AND word <> ALL (string_to_array(search_text(l.authors), ' ')))`;

// Its plan takes longer than its rows.
const CANDIDATES = prepared(
  'want_candidates',
  `SELECT w.id, w.user_id AS "userId", u.name, u.email, w.near, w.km, l.location
    FROM listings AS l
      CROSS JOIN LATERAL (
        SELECT w.* FROM wants AS w WHERE w.state = 'active' AND w.isbn13 = l.isbn13 AND w.isbn13 <> ''
        UNION ALL
        SELECT w.* FROM wants AS w WHERE w.state = 'active' AND w.title_key IS NOT NULL AND ${FITS_TITLE}) AS w
      JOIN users AS u ON u.id = w.user_id
      LEFT JOIN copy_passports AS p ON p.listing_id = l.id
    WHERE l.id = $1::uuid AND w.user_id <> l.seller_id
      AND coalesce(w.max_cents >= l.resale_cents, true)
      AND CASE w.condition WHEN 'Excellent' THEN l.condition = 'Excellent' WHEN 'Good' THEN l.condition <> 'Fair'
        ELSE true END
      AND (w.without = '{}' OR p.grade IS NOT NULL AND NOT EXISTS (
        SELECT FROM jsonb_array_elements(p.defects) AS d WHERE d ->> 'defect' = ANY (w.without)))
      AND u.deleted_at IS NULL AND u.is_buyer AND NOT is_suspended(u.id)
      AND (SELECT count(*) FROM holds AS h WHERE h.buyer_id = w.user_id) < ${MAX_UNPAID_HOLDS}
      AND NOT EXISTS (SELECT FROM want_offers AS o JOIN wants AS other ON other.id = o.want_id
        WHERE o.listing_id = l.id AND other.user_id = w.user_id)
    ORDER BY w.since, w.id LIMIT $2 OFFSET $3`,
);

/**
 * The wants that a copy fits but for where it is, whoever waits longest first: of readers who may book now, and were
 * not offered it before.
 */
export const listCandidates = (
  db: Db,
  listingId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<Candidate[]> => query<Candidate>(db, CANDIDATES, [listingId, limit, offset]);

/** Copies that are to be offered now. */
export const listAside = async (db: Db, limit: number): Promise<{ listingId: string; sellerId: string }[]> =>
  db
    .selectFrom('copies_aside as a')
    .innerJoin('listings as l', 'l.id', 'a.listing_id')
    .select(['a.listing_id as listingId', 'l.seller_id as sellerId'])
    .where('a.is_due', '=', true)
    .limit(limit)
    .execute();

/** A copy that was set aside, locked until the transaction ends; undefined where it is not to be offered any more. */
export const lockAside = (trx: Trx, listingId: string): Promise<{ offers: number } | undefined> =>
  trx
    .selectFrom('copies_aside')
    .select('offers')
    .where('listing_id', '=', listingId)
    .where('is_due', '=', true)
    .forUpdate()
    .executeTakeFirst();

export const dropAside = async (trx: Trx, listingId: string): Promise<void> => {
  await trx.deleteFrom('copies_aside').where('listing_id', '=', listingId).execute();
};

/** Has the next change of the transaction put this copy on the shelf, whoever may want it. */
export const sayToShelf = async (trx: Trx, listingId: string): Promise<void> => {
  await sql`SELECT set_config('dogear.to_shelf', ${listingId}, true)`.execute(trx);
};

/** Whether a copy is off the shelf for no other reason than being set aside. */
export const isOnlyAside = async (db: Db, listingId: string): Promise<boolean> => {
  const row = await db
    .selectFrom('listings')
    .select('id')
    .where('id', '=', listingId)
    .where('status', '=', 'paused')
    .where('waits_for_look', '=', false)
    .where(sql<boolean>`NOT is_paused(seller_id, paused_alone)`)
    .executeTakeFirst();
  return row !== undefined;
};

/** A reader's night: an offer that comes in it waits for the morning. */
const NIGHT = { begins: '22:00', ends: '09:00', hours: 10 } as const;

/** For how many minutes an offer stands that is made to somebody now. */
export const minutesOfOffer = async (
  trx: Trx,
  { userId, minutes, timeZone }: { userId: string; minutes: number; timeZone: string },
): Promise<number> => {
  const { rows } = await sql<{ minutes: number }>`
    WITH reader AS (
      SELECT shop_now() AT TIME ZONE coalesce(nullif(time_zone, ''), ${timeZone}) AS local FROM users
      WHERE id = ${userId}
    ), morning AS (
      SELECT local, date_trunc('day', local) + ${NIGHT.ends}::time
        + CASE WHEN local::time >= ${NIGHT.begins}::time THEN interval '1 day' ELSE interval '0' END AS at FROM reader
    )
    SELECT greatest(${minutes}, CASE WHEN local::time >= ${NIGHT.begins}::time OR local::time < ${NIGHT.ends}::time
      THEN least(${NIGHT.hours * 60}, ceil(extract(epoch FROM at - local) / 60)) ELSE 0 END)::integer AS minutes
    FROM morning`.execute(trx);
  return rows[0]?.minutes ?? minutes;
};

export const insertOffer = async (
  trx: Trx,
  offer: { wantId: string; listingId: string; bookingId: string; until: Date },
): Promise<string> => {
  const { id } = await trx
    .insertInto('want_offers')
    .values({
      want_id: offer.wantId,
      listing_id: offer.listingId,
      booking_id: offer.bookingId,
      until: offer.until,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await trx.updateTable('wants').set({ state: 'offered' }).where('id', '=', offer.wantId).execute();
  await trx
    .updateTable('copies_aside')
    .set({ is_due: false, offers: sql`offers + 1` })
    .where('listing_id', '=', offer.listingId)
    .execute();
  return id;
};

export interface OfferRow {
  readonly id: string;
  readonly userId: string;
  readonly listingId: string;
  readonly bookingId: string;
  readonly state: OfferState;
  readonly isHeld: boolean;
  readonly isFree: boolean;
  readonly isSold: boolean;
}

/** An offer with what became of its copy. */
export const findOffer = (db: Db, id: string): Promise<OfferRow | undefined> =>
  db
    .selectFrom('want_offers as o')
    .innerJoin('wants as w', 'w.id', 'o.want_id')
    .innerJoin('listings as l', 'l.id', 'o.listing_id')
    .select([
      'o.id',
      'w.user_id as userId',
      'o.listing_id as listingId',
      'o.booking_id as bookingId',
      'o.state',
      sql<boolean>`EXISTS (SELECT FROM holds AS h WHERE h.booking_id = o.booking_id AND h.expires_at > shop_now())`.as(
        'isHeld',
      ),
      sql<boolean>`l.status = 'available'`.as('isFree'),
      sql<boolean>`l.status IN ('sold', 'withdrawn')`.as('isSold'),
    ])
    .where('o.id', '=', id)
    .executeTakeFirst();

export const markOffer = async (db: Db, id: string, from: OfferState, to: OfferState): Promise<void> => {
  await db.updateTable('want_offers').set({ state: to }).where('id', '=', id).where('state', '=', from).execute();
};

/** What a letter says of an offered copy. */
export const readOffered = (
  trx: Trx,
  listingId: string,
): Promise<{ authors: string; condition: string; location: string; seller: string }> =>
  trx
    .selectFrom('listings as l')
    .innerJoin('users as u', 'u.id', 'l.seller_id')
    .select(['l.authors', 'l.condition', 'l.location', 'u.name as seller'])
    .where('l.id', '=', listingId)
    .executeTakeFirstOrThrow();
