import { sql } from 'kysely';
import {
  DEFAULT_DAYS_TO_POST,
  DEFAULT_DELIVERY,
  type DeliveryException,
  type DeliveryTerms,
} from '#contract/delivery/delivery.ts';
import type { DeliveryExceptionsTable } from '#server/catalog/catalog.table.ts';
import { objectOf } from '#server/platform/json-text.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';

/** What `DELIVERY` needs beside the copy `l`. */
export const DELIVERY_TABLES =
  'LEFT JOIN delivery_terms AS d ON d.seller_id = l.seller_id LEFT JOIN delivery_exceptions AS e ON e.listing_id = l.id';

const COUNTRIES = "coalesce(e.countries, d.countries, '{}')";
const POST = `(coalesce(e.post, d.post, false) AND ${COUNTRIES} <> '{}')`;
const PICKUP = `(coalesce(e.pickup, d.pickup, true) OR NOT ${POST})`;
const PLACE = "coalesce(nullif(coalesce(e.pickup_place, d.pickup_place), ''), l.location)";

/** How a copy comes to its buyer, with the fields of the contract; `termsOfCopy` says the same. */
export const DELIVERY = objectOf([
  ['pickup', PICKUP],
  ['pickupPlace', `CASE WHEN ${PICKUP} THEN ${PLACE} ELSE '' END`],
  ['post', POST],
  ['first', 'coalesce(e.first_cents, d.first_cents, 0) / 100.0::float8'],
  ['further', 'coalesce(e.further_cents, d.further_cents, 0) / 100.0::float8'],
  ['freeFrom', 'CASE WHEN e.free_from_own THEN e.free_from_cents ELSE d.free_from_cents END / 100.0::float8'],
  ['countries', COUNTRIES],
  ['home', `coalesce(d.home, '${DEFAULT_DELIVERY.home}')`],
  ['daysToPost', `coalesce(e.days_to_post, d.days_to_post, ${DEFAULT_DAYS_TO_POST})`],
]);

const TERMS = [
  'pickup',
  'pickup_place as pickupPlace',
  'post',
  'first_cents as firstCents',
  'further_cents as furtherCents',
  'free_from_cents as freeFromCents',
  'countries',
  'home',
  'days_to_post as daysToPost',
] as const;

/** A seller's settings; undefined where there are none. */
export const findTerms = (db: Db, sellerId: string): Promise<DeliveryTerms | undefined> =>
  db.selectFrom('delivery_terms').select(TERMS).where('seller_id', '=', sellerId).executeTakeFirst();

const termsRow = (terms: DeliveryTerms) => ({
  pickup: terms.pickup,
  pickup_place: terms.pickupPlace,
  post: terms.post,
  first_cents: terms.firstCents,
  further_cents: terms.furtherCents,
  free_from_cents: terms.freeFromCents,
  countries: terms.countries,
  home: terms.home,
  days_to_post: terms.daysToPost,
});

/** Writes a seller's settings; false where they are so already. */
export const upsertTerms = async (db: Db, sellerId: string, terms: DeliveryTerms): Promise<boolean> => {
  const row = termsRow(terms);
  const names = Object.keys(row) as (keyof typeof row)[];
  const isOther = sql<boolean>`(${sql.join(names.map((name) => sql.ref(`delivery_terms.${name}`)))})
    IS DISTINCT FROM (${sql.join(names.map((name) => sql.ref(`excluded.${name}`)))})`;
  const result = await db
    .insertInto('delivery_terms')
    .values({ seller_id: sellerId, ...row })
    .onConflict((conflict) =>
      conflict
        .column('seller_id')
        .doUpdateSet({ ...row, updated_at: sql<Date>`now()` })
        .where(isOther),
    )
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
};

type ExceptionRow = Pick<DeliveryExceptionsTable, 'free_from_own' | 'free_from_cents'> & {
  readonly [K in (typeof OVERRIDABLE)[number]]: DeliveryExceptionsTable[K];
};
const OVERRIDABLE = [
  'pickup',
  'pickup_place',
  'post',
  'first_cents',
  'further_cents',
  'countries',
  'days_to_post',
] as const;
const EXCEPTION = [...OVERRIDABLE, 'free_from_own', 'free_from_cents'] as const;

const exceptionOf = (row: ExceptionRow): DeliveryException => ({
  pickup: row.pickup ?? undefined,
  pickupPlace: row.pickup_place ?? undefined,
  post: row.post ?? undefined,
  firstCents: row.first_cents ?? undefined,
  furtherCents: row.further_cents ?? undefined,
  freeFromCents: row.free_from_own ? row.free_from_cents : undefined,
  countries: row.countries ?? undefined,
  daysToPost: row.days_to_post ?? undefined,
});

/** What is different for a copy; undefined where nothing is. */
export const findException = async (db: Db, listingId: string): Promise<DeliveryException | undefined> => {
  const row = await db
    .selectFrom('delivery_exceptions')
    .select(EXCEPTION)
    .where('listing_id', '=', listingId)
    .executeTakeFirst();
  return row && exceptionOf(row);
};

export const upsertException = async (trx: Trx, listingId: string, own: DeliveryException): Promise<void> => {
  const row = {
    pickup: own.pickup ?? null,
    pickup_place: own.pickupPlace ?? null,
    post: own.post ?? null,
    first_cents: own.firstCents ?? null,
    further_cents: own.furtherCents ?? null,
    free_from_own: own.freeFromCents !== undefined,
    free_from_cents: own.freeFromCents ?? null,
    countries: own.countries ?? null,
    days_to_post: own.daysToPost ?? null,
  };
  await trx
    .insertInto('delivery_exceptions')
    .values({ listing_id: listingId, ...row })
    .onConflict((conflict) => conflict.column('listing_id').doUpdateSet({ ...row, updated_at: sql<Date>`now()` }))
    .execute();
};

export const deleteException = async (trx: Trx, listingId: string): Promise<void> => {
  await trx.deleteFrom('delivery_exceptions').where('listing_id', '=', listingId).execute();
};

/** Copies with their places, their sellers' settings and what is different for them. */
export const listTermsOf = async (
  db: Db,
  listingIds: readonly string[],
): Promise<{ id: string; location: string; terms: DeliveryTerms | undefined; own: DeliveryException }[]> => {
  const rows = await db
    .selectFrom('listings as l')
    .leftJoin('delivery_terms as d', 'd.seller_id', 'l.seller_id')
    .leftJoin('delivery_exceptions as e', 'e.listing_id', 'l.id')
    .select([
      'l.id',
      'l.location',
      sql<DeliveryTerms | null>`CASE WHEN d.seller_id IS NOT NULL THEN json_build_object('pickup', d.pickup,
        'pickupPlace', d.pickup_place, 'post', d.post, 'firstCents', d.first_cents, 'furtherCents', d.further_cents,
        'freeFromCents', d.free_from_cents, 'countries', d.countries, 'home', d.home,
        'daysToPost', d.days_to_post) END`.as('terms'),
      sql<ExceptionRow | null>`CASE WHEN e.listing_id IS NOT NULL THEN to_json(e) END`.as('exception'),
    ])
    .where('l.id', 'in', [...listingIds])
    .execute();
  return rows.map(({ id, location, terms, exception }) => ({
    id,
    location,
    terms: terms ?? undefined,
    own: exception === null ? {} : exceptionOf(exception),
  }));
};

/** Forgets a seller's settings. */
export const deleteTermsOf = async (db: Db, sellerId: string): Promise<void> => {
  await db.deleteFrom('delivery_terms').where('seller_id', '=', sellerId).execute();
};
