import { sql } from 'kysely';
import type { Condition } from '#contract/catalog/catalog.ts';
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
    isSuspended: false,
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

/** As when its seller has paused a copy and goes on with it. */
export const putOnShelfAgain = async (db: Db, id: string): Promise<void> => {
  await db.updateTable('listings').set({ status: 'paused', on_shelf: false }).where('id', '=', id).execute();
  await db.updateTable('listings').set({ status: 'available', on_shelf: true }).where('id', '=', id).execute();
};

/** What a copy is, as it would be listed again. */
const AS_LISTED = [
  'l.seller_id as sellerId',
  'l.category_id as categoryId',
  'l.title',
  'l.authors',
  'l.isbn13',
  'l.published_year as publishedYear',
  'l.publisher',
  'l.image_url as imageUrl',
  'l.original_cents as originalCents',
  'l.original_known as originalKnown',
  'l.resale_cents as resaleCents',
  sql<number>`l.years_of_use::float8`.as('yearsOfUse'),
  'l.years_known as yearsKnown',
  'l.location',
  'l.phone',
  'l.condition',
] as const;

export type ListedAgain = Omit<BulkListing, 'importKey' | 'details' | 'publishedAt'>;

/** What a seller has on the shelf, as it would be listed again, the oldest first. */
export const listShelf = (db: Db, sellerId: string, limit: number): Promise<ListedAgain[]> =>
  db
    .selectFrom('listings as l')
    .select(AS_LISTED)
    .where('l.seller_id', '=', sellerId)
    // What was sold of the demo is known by a key.
    .where('l.import_key', 'is', null)
    .orderBy('l.published_at')
    .orderBy('l.title')
    .limit(limit)
    .execute();

/** The copies of a title in a condition, as each of their sellers would list another one. */
export const listCopiesOf = (db: Db, title: string, condition: Condition): Promise<ListedAgain[]> =>
  db
    .selectFrom('listings as l')
    .innerJoin('users as u', 'u.id', 'l.seller_id')
    .select(AS_LISTED)
    .where('l.title', '=', title)
    .where('l.condition', '=', condition)
    .where('l.import_key', 'is', null)
    .orderBy('u.email')
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
