import { sql } from 'kysely';
import type { Condition } from '#contract/catalog/catalog.ts';
import { WANT_MONTHS, type WantState } from '#contract/wants/want-states.ts';
import type { RuledOut } from '#contract/wants/wants.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';
import { NEW_FEED_TOKEN } from './feed-token.ts';

/** What a reader looks for, as it is kept. */
export interface WantFacts {
  readonly isbn13: string;
  readonly title: string;
  readonly author: string;
  readonly maxCents: number | null;
  readonly condition: Condition | null;
  readonly near: string;
  readonly km: 10 | 25 | 100;
  readonly without: readonly RuledOut[];
}

export interface OfferOfWant {
  readonly id: string;
  readonly listingId: string;
  readonly bookingId: string;
  readonly title: string;
  readonly image_url: string;
  readonly price: number;
  readonly condition: Condition;
  readonly grade: string | null;
  readonly location: string;
  readonly until: string;
}

export interface WantRow extends WantFacts {
  readonly id: string;
  readonly userId: string;
  readonly state: WantState;
  readonly since: Date;
  readonly endsAt: Date;
  readonly offers: number;
  readonly offer: OfferOfWant | null;
  readonly token: string;
}

/** The offer that is open, as JSON: what the copy is and costs by the booking that holds it. */
const OPEN_OFFER = sql<OfferOfWant | null>`(
  SELECT json_build_object('id', o.id, 'listingId', o.listing_id, 'bookingId', o.booking_id, 'title', b.title,
    'image_url', picture_address(l.image_url), 'price', b.price_cents / 100.0::float8, 'condition', l.condition,
    'grade', p.grade, 'location', l.location, 'until', o.until)
  FROM want_offers AS o JOIN bookings AS b ON b.id = o.booking_id JOIN listings AS l ON l.id = o.listing_id
    LEFT JOIN copy_passports AS p ON p.listing_id = l.id
  WHERE o.want_id = w.id AND o.state IN ('open', 'taken') ORDER BY o.offered_at DESC LIMIT 1)`;

const wants = (db: Db) =>
  db
    .selectFrom('wants as w')
    .select([
      'w.id',
      'w.user_id as userId',
      'w.isbn13',
      'w.title',
      'w.author',
      'w.max_cents as maxCents',
      'w.condition',
      'w.near',
      'w.km',
      'w.without',
      'w.state',
      'w.since',
      'w.ends_at as endsAt',
      sql<number>`(SELECT count(*)::integer FROM want_offers AS o WHERE o.want_id = w.id)`.as('offers'),
      OPEN_OFFER.as('offer'),
      'w.feed_token as token',
    ]);

export const listWantRows = (db: Db, userId: string): Promise<WantRow[]> =>
  wants(db).where('w.user_id', '=', userId).orderBy('w.since', 'desc').orderBy('w.id').execute();

export const findWant = (db: Db, id: string): Promise<WantRow | undefined> =>
  wants(db).where('w.id', '=', id).executeTakeFirst();

export const findWantByToken = (db: Db, token: string): Promise<WantRow | undefined> =>
  wants(db).where('w.feed_token', '=', token).executeTakeFirst();

export const renewFeedToken = async (trx: Trx, id: string): Promise<void> => {
  await trx.updateTable('wants').set({ feed_token: NEW_FEED_TOKEN }).where('id', '=', id).execute();
};

/** The want's state, locked until the transaction ends. */
export const lockWant = (trx: Trx, id: string): Promise<{ userId: string; state: WantState } | undefined> =>
  trx.selectFrom('wants').select(['user_id as userId', 'state']).where('id', '=', id).forUpdate().executeTakeFirst();

/** So that of two that are made at once the second counts the first. */
export const lockWantsOf = async (trx: Trx, userId: string): Promise<void> => {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`wants:${userId}`}, 0))`.execute(trx);
};

export const countWantsOf = async (trx: Trx, userId: string): Promise<number> => {
  const row = await trx
    .selectFrom('wants')
    .select(sql<number>`count(*)::integer`.as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return row.count;
};

const ENDS_AT = sql<Date>`shop_now() + make_interval(months => ${sql.lit(WANT_MONTHS)})`;

const columnsOf = (facts: WantFacts) => ({
  isbn13: facts.isbn13,
  title: facts.title,
  author: facts.author,
  max_cents: facts.maxCents,
  condition: facts.condition,
  near: facts.near,
  km: facts.km,
  without: [...facts.without],
});

export const insertWant = async (trx: Trx, id: string, userId: string, facts: WantFacts): Promise<void> => {
  await trx
    .insertInto('wants')
    .values({ id, user_id: userId, ...columnsOf(facts), ends_at: ENDS_AT })
    .execute();
};

export const updateWant = async (trx: Trx, id: string, facts: WantFacts): Promise<void> => {
  await trx.updateTable('wants').set(columnsOf(facts)).where('id', '=', id).execute();
};

/** Goes on with a want for twelve months more. */
export const renewWant = async (trx: Trx, id: string): Promise<void> => {
  await trx
    .updateTable('wants')
    .set({
      state: sql<WantState>`CASE WHEN state = 'offered' THEN state ELSE 'active' END`,
      passes: 0,
      ends_at: ENDS_AT,
      told_ended: true,
    })
    .where('id', '=', id)
    .execute();
};

export const pauseWant = async (trx: Trx, id: string): Promise<void> => {
  await trx.updateTable('wants').set({ state: 'paused' }).where('id', '=', id).execute();
};

export const deleteWantRow = async (trx: Trx, id: string): Promise<void> => {
  await trx.deleteFrom('wants').where('id', '=', id).execute();
};

export const deleteWantsOf = async (trx: Trx, userId: string): Promise<void> => {
  await trx.deleteFrom('wants').where('user_id', '=', userId).execute();
};

/** Ends what was not renewed in time, of which its readers are to be told; answers how many it was. */
export const expireWants = async (db: Db, limit: number): Promise<number> => {
  const { rows } = await sql`
    UPDATE wants SET state = 'expired', told_ended = false
    WHERE id IN (
      SELECT id FROM wants WHERE state IN ('active', 'paused') AND ends_at <= shop_now()
      ORDER BY ends_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)
    RETURNING 1`.execute(db);
  return rows.length;
};

/** What is known of the book of an ISBN here; undefined where nothing is. */
export const findBookOfIsbn = async (
  db: Db,
  isbn13: string,
): Promise<{ title: string; author: string } | undefined> => {
  const { rows } = await sql<{ title: string; author: string }>`
    (SELECT title, authors AS author FROM editions WHERE isbn13 = ${isbn13})
    UNION ALL
    (SELECT title, authors AS author FROM listings WHERE isbn13 = ${isbn13} ORDER BY published_at DESC LIMIT 1)
    LIMIT 1`.execute(db);
  return rows[0];
};
