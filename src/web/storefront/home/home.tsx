import { useLoaderData, type ClientLoaderFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from 'react-router';
import { countListings, listListings } from '#contract/catalog/catalog.ts';
import { readSellingTerms } from '#contract/catalog/selling-terms.ts';
import { feeWords } from '#contract/money/shares.ts';
import { callPage } from '#web/api/call.ts';
import type { Api } from '#web/api/client.ts';
import { loadInBrowser, loadOnServer } from '#web/shell/data/load.ts';
import { publicMeta } from '#web/shell/layout/page-meta.ts';
import { BookingModal } from '#web/storefront/booking/booking-modal.tsx';
import { CategoryLinks } from '#web/storefront/lists/category-links.tsx';
import { Hero } from './hero.tsx';
import { HouseRules } from './house-rules.tsx';
import { listedCopy } from '#web/storefront/lists/listed-copy.ts';
import { EmptyShelf, ListingGrid } from '#web/storefront/lists/listing-grid.tsx';
import { PopularBooks } from './popular-books.tsx';
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

const load = async (api: Api, request: Request) => {
  const cursor = new URL(request.url).searchParams.get('cursor') ?? undefined;
  const [page, total, terms] = await Promise.all([
    api.callPage(listListings, { query: { cursor } }),
    // The number is a nicety: without it the page is still whole.
    api.call(countListings, {}).catch(() => undefined),
    api.call(readSellingTerms, {}),
  ]);
  return { page, count: total?.count, fees: feeWords(terms) };
};

export const loader = ({ context, request }: LoaderFunctionArgs) =>
  loadOnServer(context, async (api) => {
    const { page, ...rest } = await load(api, request);
    return { page: { rows: page.rows.map(listedCopy), next: page.next }, ...rest };
  });
export const clientLoader = ({ request }: ClientLoaderFunctionArgs) =>
  loadInBrowser((api) => load(api, request), request);

const Banner = () => (
  <section className="border-y border-base-300 bg-neutral text-neutral-content" aria-labelledby="banner">
    <div className="page py-10 text-center">
      <h2 id="banner" className="font-serif text-2xl font-semibold sm:text-3xl">
        Every book has been somewhere before
      </h2>
      <p className="mx-auto mt-2 max-w-prose opacity-85">
        Margins with notes in them, a name on the first page, a corner turned down: that is what makes it yours.
      </p>
    </div>
  </section>
);

const Home = () => {
  const { page, count, fees } = useLoaderData<typeof loader>();
  useForgetStructuredData();
  const shelf = useShelf(page, (cursor) => callPage(listListings, { query: { cursor } }));
  return (
    <>
      <Hero count={count} />
      <PopularBooks />
      <Banner />
      <section id="books" className="page scroll-mt-4 py-12" aria-labelledby="books-title">
        <h2 id="books-title" className="mb-6 font-serif text-2xl font-semibold sm:text-3xl">
          All books, newest first
        </h2>
        <CategoryLinks />
        <ListingGrid shelf={shelf} columns={3} heading="h3" empty={<EmptyShelf />} />
      </section>
      <HouseRules fees={fees} />
      <BookingModal onLearned={shelf.mark} />
    </>
  );
};
export default Home;
