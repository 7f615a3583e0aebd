import type { Listing } from '#contract/catalog/catalog.ts';
import type { GatheredCopies } from '#contract/catalog/search.ts';
import { JsonText } from '#server/platform/json-text.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { countCopies } from './gathering.queries.ts';
import type { Narrowing } from './narrowing.queries.ts';
import type { Found } from './search.queries.ts';
import type { SearchPage } from './tiers/search-page.ts';

/** One page, each book once. */
export interface Gathered extends Pick<Found, 'listings' | 'last'> {
  readonly books: GatheredCopies[];
}

/** How often it is read on where the copies of a few books fill a page. */
const MOST_READS = 3;

/** By its ISBN; a copy without one is a book of its own. */
const bookOf = ({ isbn13, _id: id }: Listing): string => (isbn13 === '' ? id : isbn13);

/** What can be booked comes before what is reserved; where the order is by relevance, the cheaper first. */
const isBetter = (copy: Listing, other: Listing, isByRelevance: boolean): boolean => {
  if (copy.status !== other.status) return copy.status === 'Available';
  return isByRelevance && copy.resale_price < other.resale_price;
};

/**
 * The copies of a page gathered by book, in their order; where that leaves few, read on with `readOn`, besides the
 * books that are there already. Undefined where all that is found is one book: then its copies are what is chosen from.
 */
export const gather = async (
  db: Db,
  first: Found,
  narrowing: Narrowing,
  page: SearchPage,
  readOn: (page: SearchPage) => Promise<Found>,
): Promise<Gathered | undefined> => {
  const books = new Map<string, Listing>();
  const isByRelevance = page.sort === 'relevance';
  const add = ({ listings }: Found): void => {
    for (const copy of JSON.parse(listings.json) as Listing[]) {
      const other = books.get(bookOf(copy));
      if (other !== undefined && !isBetter(copy, other, isByRelevance)) continue;
      // By price a copy stands where its own price has its place.
      if (!isByRelevance) books.delete(bookOf(copy));
      books.set(bookOf(copy), copy);
    }
  };
  const isbns = (): string[] => [...books.values()].flatMap(({ isbn13 }) => (isbn13 === '' ? [] : [isbn13]));
  add(first);
  let { last } = first;
  for (let reads = 1; reads < MOST_READS && last !== undefined && books.size <= page.limit / 2; reads += 1) {
    const further = await readOn({
      ...page,
      limit: page.limit - books.size,
      after: last,
      besides: [...page.besides, ...isbns()],
    });
    add(further);
    ({ last } = further);
  }
  if (books.size === 1 && last === undefined && page.besides.length === 0) return undefined;
  return {
    listings: new JsonText(JSON.stringify([...books.values()])),
    last,
    books: await countCopies(db, isbns(), narrowing),
  };
};
