import { Readable } from 'node:stream';
import type { Listing } from '#contract/catalog/catalog.ts';
import { FEED_COPIES, type searchFeed } from '#contract/programs/feeds.ts';
import type { SearchAnswer } from '#contract/catalog/search.ts';
import type { Input } from '#contract/endpoint.ts';
import { notFound } from '#server/platform/errors.ts';
import type { Position } from '#server/platform/cursor.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { ANONYMOUS } from '#server/platform/viewer.ts';
import { searchListings } from '#server/catalog/search/search.service.ts';
import { findSellerBySlug, listProducts } from './feeds.queries.ts';
import { atomOf, GOOGLE_END, googleHead, googleItem } from './writing.ts';

type Query = Input<typeof searchFeed>['query'];

const BATCH = 1_000;
/** What a feed without anything in it says of when it changed. */
const NEVER = '2000-01-01T00:00:00Z';

const queryOf = (query: Query): string =>
  new URLSearchParams(Object.entries(query).flatMap(([name, value]) => [[name, String(value)]])).toString();

/** What the feed is of, and the page that shows the same. */
const placeOf = (query: Query, [first]: readonly Listing[]): { title: string; path: string } => {
  const { q = '', category, seller } = query;
  const others = Object.keys(query).length;
  if (category !== undefined && others === 1)
    return { title: first?.category_name ?? category, path: `/category/${encodeURIComponent(category)}` };
  if (seller !== undefined && others === 1 && first !== undefined)
    return { title: `Books of ${first.Seller}`, path: `/seller/${encodeURIComponent(first.seller_slug)}` };
  const text = queryOf(query);
  return { title: q === '' ? 'Books' : `“${q}”`, path: text === '' ? '/search' : `/search?${text}` };
};

/** The newest copies of a search as an Atom feed. */
export const writeSearchFeed = async (db: Db, publicUrl: string, query: Query): Promise<Readable> => {
  const asked = { ...query, sort: 'newest', limit: String(FEED_COPIES) } as const;
  const found = await searchListings(db, ANONYMOUS, asked, (_key, work) => work());
  const { listings } = JSON.parse(found.json) as SearchAnswer;
  const { title, path } = placeOf(query, listings);
  const text = queryOf(query);
  const self = `${publicUrl}/api/feeds/search.atom${text === '' ? '' : `?${text}`}`;
  const [newest] = listings;
  return Readable.from([
    atomOf({
      self,
      page: publicUrl + path,
      title: `${title} · Dogear`,
      updated: newest?.published_date ?? NEVER,
      listings,
      publicUrl,
    }),
  ]);
};

async function* products(db: Db, publicUrl: string, seller: { id: string; name: string; slug: string } | undefined) {
  const page = seller === undefined ? '/' : `/seller/${encodeURIComponent(seller.slug)}`;
  yield googleHead(seller === undefined ? 'Dogear' : `${seller.name} · Dogear`, publicUrl + page);
  let after: Position | undefined;
  for (;;) {
    const rows: Awaited<ReturnType<typeof listProducts>> = await listProducts(db, {
      sellerId: seller?.id,
      after,
      limit: BATCH,
    });
    const last = rows.at(-1);
    if (last === undefined) break;
    yield rows.map((row) => googleItem(row, publicUrl)).join('');
    after = last;
  }
  yield GOOGLE_END;
}

/** Products for Google Merchant Center, written while they are sent; 404 for no such seller. */
export const writeGoogleFeed = async (db: Db, publicUrl: string, slug: string | undefined): Promise<Readable> => {
  const found = slug === undefined ? undefined : await findSellerBySlug(db, slug);
  if (slug !== undefined && found === undefined) throw notFound('There is no such seller');
  return Readable.from(products(db, publicUrl, found && { ...found, slug: slug ?? '' }));
};
