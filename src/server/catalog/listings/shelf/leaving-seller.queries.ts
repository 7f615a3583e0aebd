import { sql, type SqlBool } from 'kysely';
import type { Position } from '#server/platform/cursor.ts';
import { PASSPORT } from '#server/catalog/passports/passport-json.ts';
import type { Db } from '#server/platform/postgres/db.ts';

/** An order of it is under way: its buyer has to know where the copy is. */
const IS_ORDERED = sql`EXISTS (SELECT FROM bookings AS b JOIN orders AS o ON o.id = b.order_id
  WHERE b.listing_id = listings.id AND o.closed_at IS NULL)`;

/** Takes phone and place out of up to `limit` of a seller's copies that nobody waits for; answers how many. */
export const eraseContactOf = async (db: Db, sellerId: string, limit: number): Promise<number> => {
  const some = db
    .selectFrom('listings')
    .select('id')
    .where('seller_id', '=', sellerId)
    .where('status', 'in', ['withdrawn', 'sold'])
    .where(sql<SqlBool>`(phone <> '' OR location <> '')`)
    .where(sql<SqlBool>`NOT ${IS_ORDERED}`)
    .limit(limit);
  const result = await db
    .updateTable('listings')
    .set({ phone: '', location: '' })
    .where('id', 'in', some)
    .executeTakeFirst();
  return Number(result.numUpdatedRows);
};

/**
 * Up to `limit` of a seller's copies with photos that nobody waits for. What their buyers were promised is kept beside
 * their bookings.
 */
export const listPicturedCopies = async (db: Db, sellerId: string, limit: number): Promise<string[]> => {
  const rows = await db
    .selectFrom('listings')
    .select('id')
    .where('seller_id', '=', sellerId)
    .where('status', 'in', ['withdrawn', 'sold'])
    .where(sql<SqlBool>`length(image_url) = 22`)
    .where(sql<SqlBool>`NOT ${IS_ORDERED}`)
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
};

/** Takes what is different about the delivery of a seller's copies out where nobody waits for them. */
export const eraseExceptionsOf = async (db: Db, sellerId: string): Promise<void> => {
  const gone = db
    .selectFrom('listings')
    .select('id')
    .where('seller_id', '=', sellerId)
    .where('status', 'in', ['withdrawn', 'sold']);
  await db.deleteFrom('delivery_exceptions').where('listing_id', 'in', gone).execute();
};

/** Whether a seller still has copies on the shelf, promised to a buyer or in an order under way. */
export const hasCopiesInShop = async (db: Db, sellerId: string): Promise<boolean> => {
  const row = await db
    .selectFrom('listings')
    .select('id')
    .where('seller_id', '=', sellerId)
    .where(sql<SqlBool>`(on_shelf OR ${IS_ORDERED})`)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
};

/** A seller's copies with all that was written about them, the newest first, after a position. */
export const listCopiesToExport = (db: Db, sellerId: string, page: { limit: number; after: Position | undefined }) =>
  db
    .selectFrom('listings as l')
    .innerJoin('categories as c', 'c.id', 'l.category_id')
    .leftJoin('delivery_exceptions as e', 'e.listing_id', 'l.id')
    .leftJoin('stock_copies as k', 'k.listing_id', 'l.id')
    .select([
      'l.id',
      'k.sku',
      'k.number as sku_number',
      'k.shelf',
      'k.note as private_note',
      'k.grade_text',
      sql<number | null>`k.cost_cents / 100.0::float8`.as('cost'),
      'l.title',
      'l.authors',
      'l.isbn13',
      'l.published_year',
      'l.publisher',
      sql<string>`picture_address(l.image_url)`.as('image_url'),
      sql<number | null>`CASE WHEN l.original_known THEN l.original_cents / 100.0::float8 END`.as('original_price'),
      sql<number>`l.resale_cents / 100.0::float8`.as('resale_price'),
      sql<number | null>`CASE WHEN l.years_known THEN l.years_of_use::float8 END`.as('years_of_use'),
      'l.location',
      'l.phone',
      'l.details',
      'l.condition',
      'l.status',
      'l.paused_alone',
      'c.name as category_name',
      'l.updated_at',
      sql<
        object | null
      >`CASE WHEN e.listing_id IS NOT NULL THEN jsonb_strip_nulls(jsonb_build_object('pickup', e.pickup,
        'pickupPlace', e.pickup_place, 'post', e.post, 'first', e.first_cents / 100.0::float8,
        'further', e.further_cents / 100.0::float8, 'countries', e.countries, 'daysToPost', e.days_to_post,
        'freeFrom', CASE WHEN e.free_from_own
          THEN coalesce(to_jsonb(e.free_from_cents / 100.0::float8), '"never"') END)) END`.as('delivery'),
      sql<object | null>`${sql.raw(PASSPORT)}`.as('passport'),
      sql<string>`to_char(l.published_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`.as('at'),
    ])
    .where('l.seller_id', '=', sellerId)
    .$if(page.after !== undefined, (query) =>
      query.where(
        sql<SqlBool>`(l.published_at, l.id) < (${page.after?.at ?? ''}::timestamptz, ${page.after?.id ?? ''}::uuid)`,
      ),
    )
    .orderBy('l.published_at', 'desc')
    .orderBy('l.id', 'desc')
    .limit(page.limit)
    .execute();
