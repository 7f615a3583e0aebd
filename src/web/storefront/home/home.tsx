import {
  useLoaderData,
  useSearchParams,
  type ClientLoaderFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
} from 'react-router';
import { countListings, listListings } from '#contract/catalog/catalog.ts';
import { readPopular } from '#contract/catalog/editions/popular.ts';
import { searchListings, type SearchAnswer } from '#contract/catalog/search.ts';
import { readSellingTerms } from '#contract/catalog/selling-terms.ts';
import { feeWords } from '#contract/money/shares.ts';
import { callPage } from '#web/api/call.ts';
import type { Api } from '#web/api/client.ts';
import { loadInBrowser, loadOnServer } from '#web/shell/data/load.ts';
import { publicMeta } from '#web/shell/layout/page-meta.ts';
import { BookingModal } from '#web/storefront/booking/booking-modal.tsx';
import { CategoryLinks } from '#web/storefront/lists/category-links.tsx';
import { Hero } from './hero.tsx';
import { listedCopy } from '#web/storefront/lists/listed-copy.ts';
import { EmptyShelf, ListingGrid } from '#web/storefront/lists/listing-grid.tsx';
import { isPlaceName, nearQuery, NearRail, nearShown } from './near.tsx';
import { Rail, railCopy, spread, type RailCopy } from './rail.tsx';
import { loadUnchanging, WrittenHouseRules, WrittenWindow } from './written.tsx';
import { shelfScript, useForgetStructuredData } from '#web/storefront/book/structured-data.ts';
import { useShelf } from '#web/storefront/lists/use-shelf.ts';

export { shouldRevalidate } from '#web/storefront/booking/book-param.ts';

export const meta: MetaFunction<typeof loader> = (args) => [
  ...publicMeta(args, {
    title: 'Dogear: second-hand books from readers to readers',
    description:
      'Find your favourite used books in the best condition, at low prices. Every copy is real, and sold once.',
    path: '/',
  }),
  ...shelfScript(args, args.loaderData?.page.rows),
];

const CHEAP = { max: '4.99', available: '1', sort: 'newest', limit: '24' } as const;
const CHEAP_PATH = '/search?max=4.99&sort=newest';
const REDUCED = { reduced: '1', available: '1', sort: 'newest', limit: '48' } as const;
const REDUCED_PATH = '/search?reduced=1&sort=newest';

const reducedOf = ({ listings, reduced = [] }: SearchAnswer): RailCopy[] => {
  const before = new Map(reduced.map(({ _id, was }) => [_id, was]));
  return spread(listings).map((copy) => railCopy({ ...copy, isFrom: false, was: before.get(copy._id) }));
};

const load = async (api: Api, request: Request) => {
  const { searchParams } = new URL(request.url);
  const cursor = searchParams.get('cursor') ?? undefined;
  const typed = searchParams.get('near')?.trim().slice(0, 200) ?? '';
  const near = cursor === undefined && isPlaceName(typed) ? typed : undefined;
  const [page, cheap, reduced, nearby, total, terms, stock, texts] = await Promise.all([
    api.callPage(listListings, { query: { cursor } }),
    // A nicety, as the number is: without it the page is still whole.
    cursor === undefined ? api.call(searchListings, { query: CHEAP }).catch(() => undefined) : undefined,
    cursor === undefined ? api.call(searchListings, { query: REDUCED }).catch(() => undefined) : undefined,
    near === undefined ? undefined : api.call(searchListings, { query: nearQuery(near) }).catch(() => undefined),
    api.call(countListings, {}).catch(() => undefined),
    api.call(readSellingTerms, {}),
    api.call(readPopular, {}).catch(() => undefined),
    loadUnchanging().then(({ loadTexts }) => loadTexts(api)),
  ]);
  return {
    page,
    cheap: spread(cheap?.listings ?? []).map(railCopy),
    reduced: reduced && reducedOf(reduced),
    near: near === undefined ? undefined : nearShown(near, nearby),
    count: total?.count,
    fees: feeWords(terms),
    stock: stock?.books ?? [],
    texts,
  };
};

export const loader = ({ context, request }: LoaderFunctionArgs) =>
  loadOnServer(context, async (api) => {
    const { page, ...rest } = await load(api, request);
    // A rail shows each book once, which its ISBN tells.
    const rows = page.rows.map((row) => ({ ...listedCopy(row), isbn13: row.isbn13 }));
    return { page: { rows, next: page.next }, ...rest };
  });
export const clientLoader = async ({ request }: ClientLoaderFunctionArgs) => {
  const [loaded] = await Promise.all([loadInBrowser((api) => load(api, request), request), loadUnchanging()]);
  return loaded;
};

const Home = () => {
  const { page, cheap, reduced = [], near, count, fees, stock, texts } = useLoaderData<typeof loader>();
  const [params] = useSearchParams();
  const isFirst = !params.has('cursor');
  useForgetStructuredData();
  const shelf = useShelf(page, (cursor) => callPage(listListings, { query: { cursor } }));
  return (
    <>
      <Hero count={count} />
      {near !== undefined && <NearRail near={near} />}
      {isFirst && <Rail id="new" title="New on the shelves" all="#books" copies={spread(page.rows)} />}
      {isFirst && near === undefined && <NearRail near={near} />}
      {isFirst && <Rail id="cheap" title="Under $5" all={CHEAP_PATH} copies={cheap} />}
      {isFirst && <Rail id="reduced" title="Just reduced" all={REDUCED_PATH} copies={reduced} />}
      <WrittenWindow stock={stock} />
      <section id="books" className="page scroll-mt-4 py-12" aria-labelledby="books-title">
        <h2 id="books-title" className="mb-6 font-serif text-2xl font-semibold sm:text-3xl">
          All books, newest first
        </h2>
        <CategoryLinks isRow />
        <ListingGrid shelf={shelf} columns={3} heading="h3" empty={<EmptyShelf />} onTop={false} />
      </section>
      <WrittenHouseRules fees={fees} texts={texts} />
      <BookingModal onLearned={shelf.mark} />
    </>
  );
};
export default Home;
