import type { Listing, ListingDetail, MyListingsSort } from '#contract/catalog/catalog.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { prepared, queryPipelined } from '#server/platform/postgres/query.ts';
import { objectOf, JsonText, type JsonPage } from '#server/platform/json-text.ts';
import type { ListingState } from '#server/catalog/catalog.table.ts';
import {
  beginningOf,
  beyondText,
  keyText,
  orderText,
  sortedCursorOf,
  type Order,
  type SortedPosition,
} from '#server/platform/sorted-cursor.ts';
import { isReduction, REDUCED_DAYS } from './price-changes.queries.ts';
import { authorPages } from '#server/catalog/authors/author-json.ts';
import { SAMPLE_SOURCE } from '#server/catalog/photos/photos.table.ts';
import { PASSPORT } from '#server/catalog/passports/passport-json.ts';
import { DELIVERY, DELIVERY_TABLES } from '#server/catalog/delivery/delivery.queries.ts';

/** Which listings a list shows: those on the shelf, of all or of one category; or all of one seller, sold ones too. */
export type ListingFilter = { readonly categoryId?: string } | { readonly sellerId: string };

/** Whose phones and addresses are shown with their copies: everybody's, one seller's own, or nobody's. */
export type ShownContacts =
  | { readonly of: 'all' }
  | { readonly of: 'seller'; readonly id: string }
  | { readonly of: 'none' };

export interface ListingPage {
  readonly limit: number;
  /** Newest first, but for a seller's own copies. */
  readonly sort: MyListingsSort;
  readonly after: SortedPosition | undefined;
  /** Whose phones and addresses are shown. */
  readonly contacts: ShownContacts;
  /** How far the whole list is counted. */
  readonly countAtMost: number;
}

/**
 * Available or held; the predicate of the partial indexes, without which they are not used
 * (db/migrations/0002-catalog.sql).
 */
export const ON_THE_SHELF = 'l.on_shelf';
export const NEWEST_FIRST = 'l.published_at DESC, l.id DESC';

const TITLE = beginningOf('l.title_key');

/** The orders of listings, each by an index of its own. */
export const LISTING_ORDERS = {
  newest: { kind: 'time', key: 'l.published_at', way: 'DESC' },
  'title-up': { kind: 'text', key: TITLE, way: 'ASC' },
  'title-down': { kind: 'text', key: TITLE, way: 'DESC' },
  'price-up': { kind: 'number', key: 'l.resale_cents', way: 'ASC' },
  'price-down': { kind: 'number', key: 'l.resale_cents', way: 'DESC' },
} as const satisfies Record<MyListingsSort, Order>;

const timeText = (time: string, format: string): string => `to_char(${time} AT TIME ZONE 'UTC', '${format}')`;

/** A keyset position as `Position` has it, in the database's own resolution. */
export const positionText = (time: string): string => timeText(time, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"');

const SIZE = [
  ['width', 'f.width'],
  ['height', 'f.height'],
  ['colour', 'f.colour'],
] as const;

/** The photo that a column holds the name of; a value that is none is not looked up. */
export const cardPhoto = (name: string): string =>
  `CASE WHEN length(${name}) = 22 THEN (SELECT row_to_json(${objectOf([['name', 'f.name'], ...SIZE])}) FROM photo_files AS f
  WHERE f.name = ${name}) END`;

const PHOTO = objectOf([
  ['id', 'p.id'],
  ['name', 'f.name'],
  ...SIZE,
  ['caption', 'i.caption'],
  ['sample', `p.fetched_from IS NOT DISTINCT FROM '${SAMPLE_SOURCE}'`],
]);
const PHOTOS = `coalesce((SELECT array_to_json(array_agg(${PHOTO} ORDER BY i.position)) FROM listing_photos AS i
  JOIN photos AS p ON p.id = i.photo_id JOIN photo_files AS f ON f.name = p.name WHERE i.listing_id = l.id), '[]')`;

/** Where an SQL condition holds, what the seller is reached by; else nothing. */
const contactWhere = (isShown: string, column: string): string =>
  ({ TRUE: column, FALSE: "''" })[isShown] ?? `CASE WHEN ${isShown} THEN ${column} ELSE '' END`;

/** SQL conditions, under which the seller's address and phone are shown. */
interface ContactShown {
  readonly email: string;
  readonly phone: string;
}

const fieldsOf = (shown: ContactShown, more: readonly (readonly [name: string, column: string])[] = []): string =>
  objectOf([
    ['_id', 'l.id'],
    ['title', 'l.title'],
    ['authors', 'l.authors'],
    ['isbn13', 'l.isbn13'],
    ['published_year', 'l.published_year'],
    ['publisher', 'l.publisher'],
    ['image_url', 'picture_address(l.image_url)'],
    ['photo', cardPhoto('l.image_url')],
    ['Seller', 'u.name'],
    ['seller_slug', "coalesce(u.seller_slug, '')"],
    ['seller_verified', 'u.verified'],
    ['email', contactWhere(shown.email, 'u.email')],
    ['phone', contactWhere(shown.phone, 'l.phone')],
    ['original_price', 'CASE WHEN l.original_known THEN l.original_cents / 100.0::float8 ELSE 0 END'],
    ['original_known', 'l.original_known'],
    ['resale_price', 'l.resale_cents / 100.0::float8'],
    ['years_of_use', 'trim_scale(l.years_of_use)'],
    ['years_known', 'l.years_known'],
    ['location', 'l.location'],
    ['published_date', timeText('l.published_at', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')],
    ['details', 'l.details'],
    ['condition', 'l.condition'],
    ['category_id', 'l.category_id'],
    ['category_name', 'c.name'],
    ['status', 'listing_status(l.status)'],
    // read for the few copies of a page that somebody holds, and for those out of sight
    [
      'waiting',
      "CASE WHEN l.status IN ('held', 'paused') THEN (SELECT count(*) FROM waitlist_entries AS w WHERE w.listing_id = l.id) ELSE 0 END",
    ],
    ...more,
  ]);

const shownWhere = (condition: string): ContactShown => ({ email: condition, phone: condition });
const FOR_NOBODY = shownWhere('FALSE');
const FOR_ADMINS = shownWhere('TRUE');
const RECORDS = { none: fieldsOf(FOR_NOBODY), all: fieldsOf(FOR_ADMINS) };

/**
 * A listing with the fields of the contract, as a record over `LISTING_TABLES`; `sellerId` is the placeholder of the
 * seller whose phone and address are shown, where it is one.
 */
export const listingRecord = (contacts: ShownContacts['of'], sellerId: string): string =>
  contacts === 'seller' ? fieldsOf(shownWhere(`l.seller_id = ${sellerId}::uuid`)) : RECORDS[contacts];

export const LISTING_TABLES =
  'listings AS l JOIN users AS u ON u.id = l.seller_id JOIN categories AS c ON c.id = l.category_id';

/**
 * The first `limit` of the rows' records as the text of one JSON array, where the rows come in order and are one more.
 */
export const arrayOf = (record: string, limit: number): string =>
  `coalesce(array_to_json((array_agg(${record}))[1:${limit}])::text, '[]')`;

/** All that the text of a page's statement hangs on. */
interface PageShape extends Omit<ListingPage, 'after' | 'contacts'> {
  readonly of: 'all' | 'category' | 'seller';
  readonly contacts: ShownContacts['of'];
  readonly isFurther: boolean;
}

const WHERE = {
  all: ON_THE_SHELF,
  category: `${ON_THE_SHELF} AND l.category_id = $1`,
  seller: "l.seller_id = $1 AND l.status <> 'withdrawn'",
} as const satisfies Record<PageShape['of'], string>;

const pageText = ({ of, isFurther, limit, sort, contacts, countAtMost }: PageShape): string => {
  const where = WHERE[of];
  // Beside what the list is of, and where it goes on.
  const sellerId = `$${(of === 'all' ? 0 : 1) + (isFurther ? 2 : 0) + 1}`;
  const order = LISTING_ORDERS[sort];
  const beyond = isFurther ? ` AND ${beyondText(order, 'l', of === 'all' ? ['$1', '$2'] : ['$2', '$3'])}` : '';
  // Numbers, not values: how many rows are wanted decides how they are best found.
  return `SELECT ${arrayOf('p.listing', limit)} AS json, count(*)::integer AS rows,
      CASE WHEN count(*) > ${limit} THEN ${keyText({ ...order, key: `(array_agg(p.key))[${limit}]` })} END AS key, (array_agg(p.id))[${limit}] AS id,
      (SELECT count(*)::integer FROM (SELECT FROM listings AS l WHERE ${where} LIMIT ${countAtMost}) AS counted) AS total
    FROM (SELECT ${listingRecord(contacts, sellerId)} AS listing, ${order.key} AS key, l.id FROM ${LISTING_TABLES}
      WHERE ${where}${beyond} ORDER BY ${orderText(order, 'l')} LIMIT ${limit + 1}) AS p`;
};

/**
 * The texts by their shapes, of which there are some hundreds: put together once, as they are long and looked up by
 * name each time.
 */
const pageTexts = new Map<string, string>();

const textOf = (shape: PageShape): string => {
  const key = `${shape.of} ${shape.sort} ${shape.isFurther} ${shape.limit} ${shape.contacts} ${shape.countAtMost}`;
  const known = pageTexts.get(key);
  if (known !== undefined) return known;
  // There is room for some hundreds of prepared statements; an own list in another order is asked for now and then.
  const text = shape.sort === 'newest' ? prepared('listings', pageText(shape)) : pageText(shape);
  pageTexts.set(key, text);
  return text;
};

const whatOf = (filter: ListingFilter): { of: PageShape['of']; values: string[] } => {
  if ('sellerId' in filter) return { of: 'seller', values: [filter.sellerId] };
  return filter.categoryId === undefined ? { of: 'all', values: [] } : { of: 'category', values: [filter.categoryId] };
};

/**
 * One page of listings in their order, written in one statement with the place of the next one and the length of the
 * list.
 */
export const selectListingsJson = async (
  db: Db,
  filter: ListingFilter,
  { after, contacts, ...page }: ListingPage,
): Promise<JsonPage<Listing> & { total: number; isEmpty: boolean }> => {
  const { of, values } = whatOf(filter);
  const [row] = await queryPipelined<{
    json: string;
    key: string | null;
    id: string | null;
    rows: number;
    total: number;
  }>(db, textOf({ of, isFurther: after !== undefined, contacts: contacts.of, ...page }), [
    ...values,
    ...(after === undefined ? [] : [after.key, after.id]),
    ...(contacts.of === 'seller' ? [contacts.id] : []),
  ]);
  if (row === undefined) throw new Error('an aggregate without a row');
  const { json, key, id, rows, total } = row;
  return {
    written: new JsonText<Listing[]>(json),
    next: key === null || id === null ? undefined : sortedCursorOf(page.sort, { key, id }),
    total,
    isEmpty: rows === 0,
  };
};

/** What the copy cost before it was reduced in the last two weeks; null where it was not. */
const REDUCED_FROM = `(SELECT c.was_cents / 100.0::float8 FROM price_changes AS c
  WHERE ${isReduction(`now() - interval '${REDUCED_DAYS} days'`)} ORDER BY c.changed_at DESC LIMIT 1)`;

/** Held for a reader who asked for the book before it came. */
const IS_OFFERED = `CASE WHEN l.status = 'held' THEN EXISTS (SELECT FROM holds AS h JOIN bookings AS b ON b.id = h.booking_id
  WHERE h.listing_id = l.id AND b.offered IS NOT NULL) ELSE false END`;

/** The viewer bought the copy, and the sale stands and ended no more than so many days ago. */
const IS_BUYER = `l.status = 'sold' AND EXISTS (SELECT FROM bookings AS b JOIN orders AS o ON o.id = b.order_id
  WHERE b.listing_id = l.id AND b.buyer_id = $2 AND b.paid_at IS NOT NULL AND b.refunded_at IS NULL
    AND (o.closed_at IS NULL OR shop_now() < o.closed_at + make_interval(days => $3::integer)))`;

const listingById = (shown: ContactShown): string =>
  prepared(
    'listing',
    `SELECT row_to_json(${fieldsOf(shown, [
      ['author_pages', authorPages('l.authors')],
      ['photos', PHOTOS],
      ['delivery', DELIVERY],
      ['passport', PASSPORT],
      ['seller_id', 'l.seller_id'],
      ['seller_sells_as', "coalesce((SELECT d.kind FROM seller_declarations AS d WHERE d.user_id = l.seller_id), '')"],
      ['reduced_from', REDUCED_FROM],
      ['offered', IS_OFFERED],
    ])})::text AS json, l.status AS state,
      l.seller_id AS "sellerId"
    FROM ${LISTING_TABLES} ${DELIVERY_TABLES} WHERE l.id = $1`,
  );
const LISTING_BY_ID = {
  none: listingById(FOR_NOBODY),
  all: listingById(FOR_ADMINS),
  viewer: listingById({ email: 'l.seller_id = $2', phone: `(l.seller_id = $2 OR ${IS_BUYER})` }),
};

/** Whose eyes see a listing: a viewer sees their own contact, and the phone of whom they bought the copy from. */
export type ListingEyes = 'none' | 'all' | { readonly userId: string; readonly reachDays: number };

/** One listing, whatever its state, with how it comes to its buyer and what is said of it. */
export const selectListingJson = async (
  db: Db,
  id: string,
  eyes: ListingEyes,
): Promise<{ written: JsonText<ListingDetail>; state: ListingState; sellerId: string } | undefined> => {
  const [row] = await queryPipelined<{ json: string; state: ListingState; sellerId: string }>(
    db,
    LISTING_BY_ID[typeof eyes === 'string' ? eyes : 'viewer'],
    typeof eyes === 'string' ? [id] : [id, eyes.userId, eyes.reachDays],
  );
  return row && { written: new JsonText(row.json), state: row.state, sellerId: row.sellerId };
};
