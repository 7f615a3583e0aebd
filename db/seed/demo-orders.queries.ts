import { sql } from 'kysely';
import type { BulkListing } from '#server/catalog/listings/bulk-listing.queries.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import type { SignedIn } from '#server/platform/viewer.ts';

/** A person of the demo, as if they were signed in. */
export const findPerson = async (db: Db, email: string): Promise<SignedIn> => {
  const user = await db
    .selectFrom('users')
    .select(['id', 'email', 'name', 'is_buyer', 'is_seller'])
    .where('email', '=', email)
    .executeTakeFirstOrThrow();
  return {
    kind: 'signed-in',
    userId: user.id,
    email: user.email,
    name: user.name,
    isAdmin: false,
    isSeller: user.is_seller,
    isBuyer: user.is_buyer,
    emailProvenAt: new Date(),
    sessionId: '',
    hasFreshSignIn: false,
    secondFactor: 'not needed',
  };
};

/** A copy that can be booked. */
export interface ShelfCopy {
  readonly id: string;
  readonly title: string;
  readonly imageUrl: string;
  readonly price: number;
}

/** The copy of a book that a seller of the demo has on the shelf. */
export const findShelfCopy = (db: Db, { seller, title }: { seller: string; title: string }): Promise<ShelfCopy> =>
  db
    .selectFrom('listings as l')
    .innerJoin('users as u', 'u.id', 'l.seller_id')
    .select(['l.id', 'l.title', 'l.image_url as imageUrl', sql<number>`l.resale_cents / 100.0::float8`.as('price')])
    .where('u.email', '=', seller)
    .where('l.title', '=', title)
    .where('l.status', '=', 'available')
    .executeTakeFirstOrThrow();

/** What a seller has on the shelf, as it would be listed again, the oldest first. */
export const listShelf = (
  db: Db,
  sellerId: string,
  limit: number,
): Promise<Omit<BulkListing, 'importKey' | 'details' | 'publishedAt'>[]> =>
  db
    .selectFrom('listings')
    .select([
      'seller_id as sellerId',
      'category_id as categoryId',
      'title',
      'authors',
      'isbn13',
      'published_year as publishedYear',
      'publisher',
      'image_url as imageUrl',
      'original_cents as originalCents',
      'original_known as originalKnown',
      'resale_cents as resaleCents',
      sql<number>`years_of_use::float8`.as('yearsOfUse'),
      'years_known as yearsKnown',
      'location',
      'phone',
      'condition',
    ])
    .where('seller_id', '=', sellerId)
    .orderBy('published_at')
    .orderBy('title')
    .limit(limit)
    .execute();

/** The copies of a seller that are known by these keys. */
export const listOrdersCopies = async (
  db: Db,
  sellerId: string,
  keys: readonly string[],
): Promise<ReadonlyMap<string, ShelfCopy>> => {
  const rows = await db
    .selectFrom('listings')
    .select([
      'id',
      'import_key',
      'title',
      'image_url as imageUrl',
      sql<number>`resale_cents / 100.0::float8`.as('price'),
    ])
    .where('seller_id', '=', sellerId)
    .where('import_key', 'in', [...keys])
    .execute();
  return new Map(rows.map(({ import_key: key, ...copy }) => [key ?? '', copy]));
};
