import { parseCents } from '#contract/money/money.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { makeUpCopy } from './fixtures.ts';
import {
  insertListings,
  readClock,
  refreshStatistics,
  type BulkListing,
} from '#server/catalog/listings/bulk-listing.queries.ts';
import { readDemoGoods, type DemoCopy, type DemoSeller } from './demo-goods.ts';
import { findCategoryIds, findSellers } from './demo-shop.queries.ts';

const BATCH_ROWS = 1_000;
/** Below the demo shop's own copies, which stay what a visitor sees first. */
const YOUNGEST_DAYS = 60;
/** Older listings than this look abandoned. */
const SPREAD_DAYS = 700;
const DAY_MS = 86_400_000;
/** Odd and without a factor in common with the number of titles, so that neighbours in a list are different books. */
const STRIDE = 7_919;

export interface GenerateOrder {
  /** The shop has at least this many generated listings afterwards. */
  readonly books: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number, of: number) => void;
}

/** What `generateListings` did; `present` were made by an earlier run. */
export interface Generated {
  readonly added: number;
  readonly present: number;
  readonly interrupted: boolean;
}

/** The demo shop is not in this database, so there is nobody to list for. */
export class NoDemoShop extends Error {
  override readonly name = 'NoDemoShop';
}

/**
 * Fills a demo shop with believable listings: copy n is always the same book, seller, condition and price. Runs in
 * batches, each a transaction; a repeated run adds what is missing, up to the number asked for.
 */
export const generateListings = async (db: Db, order: GenerateOrder): Promise<Generated> => {
  const make = await generator(db);
  let added = 0;
  let done = 0;
  while (done < order.books && !order.signal?.aborted) {
    const upTo = Math.min(order.books, done + BATCH_ROWS);
    const batch = Array.from({ length: upTo - done }, (_, place) => make(done + place + 1));
    added += (await insertListings(db, batch)).length;
    done = upTo;
    order.onProgress?.(done, order.books);
  }
  if (added > 0) await refreshStatistics(db);
  return { added, present: done - added, interrupted: done < order.books };
};

const generator = async (db: Db): Promise<(n: number) => BulkListing> => {
  const goods = await readDemoGoods();
  const sellers = await knownSellers(db, goods.sellers);
  const categories = new Set(
    await findCategoryIds(
      db,
      goods.categories.map((category) => category.category_id),
    ),
  );
  const copies = goods.copies.filter((copy) => categories.has(copy.category_id));
  const now = (await readClock(db)).getTime();
  return (n) => {
    const copy = copies[(n * STRIDE) % copies.length];
    const seller = sellers[n % sellers.length];
    if (copy === undefined || seller === undefined) throw new NoDemoShop('The demo shop is not in this database.');
    return listingOf(n, copy, seller, now);
  };
};

interface KnownSeller extends DemoSeller {
  readonly id: string;
}

const knownSellers = async (db: Db, sellers: readonly DemoSeller[]): Promise<KnownSeller[]> => {
  const found = new Map(
    (
      await findSellers(
        db,
        sellers.map(({ email }) => email),
      )
    ).map(({ id, email }) => [email, id]),
  );
  return sellers.flatMap((seller) => {
    const id = found.get(seller.email);
    return id === undefined ? [] : [{ ...seller, id }];
  });
};

const listingOf = (n: number, copy: DemoCopy, seller: KnownSeller, now: number): BulkListing => {
  const importKey = `generated-${n}`;
  const book = { publishedYear: copy.year === '' ? null : Number(copy.year) };
  const { originalCents, resaleCents, condition, yearsOfUse, details } = makeUpCopy(importKey, book, {
    originalCents: parseCents(copy.original_price),
    location: seller.location,
  });
  return {
    ...book,
    sellerId: seller.id,
    categoryId: copy.category_id,
    importKey,
    title: copy.title,
    authors: copy.authors,
    isbn13: copy.isbn13,
    publisher: copy.publisher,
    originalCents,
    resaleCents,
    condition,
    yearsOfUse,
    yearsKnown: true,
    originalKnown: true,
    imageUrl: '',
    details,
    location: seller.location,
    phone: seller.phone,
    publishedAt: new Date(now - (YOUNGEST_DAYS + ((n * STRIDE) % (SPREAD_DAYS * 1000)) / 1000) * DAY_MS),
  };
};
