import { useLoaderData, type ClientLoaderFunctionArgs, type MetaFunction } from 'react-router';
import { listListings } from '#contract/catalog/catalog.ts';
import { callPage } from '#web/api/call.ts';
import { loadSignedIn } from '#web/shell/data/guard.ts';
import { pageMeta } from '#web/shell/layout/page-meta.ts';
import { BookingModal } from '#web/storefront/booking/booking-modal.tsx';
import { NeedsScripts } from '#web/ui/states.tsx';
import { CategoriesLayout } from './categories-layout.tsx';
import { EmptyShelf, ListingGrid } from './listing-grid.tsx';
import { ListingGridSkeleton } from './listing-grid-skeleton.tsx';
import { useShelf } from './use-shelf.ts';

export { shouldRevalidate } from '#web/storefront/booking/book-param.ts';

export const meta: MetaFunction = () => pageMeta('All books');

const loadPage = (cursor: string | undefined) => callPage(listListings, { query: { cursor } });

export const clientLoader = ({ request }: ClientLoaderFunctionArgs) => {
  const cursor = new URL(request.url).searchParams.get('cursor') ?? undefined;
  return loadSignedIn(request, (api) => api.callPage(listListings, { query: { cursor } }));
};

const Categories = () => {
  const shelf = useShelf(useLoaderData<typeof clientLoader>(), loadPage);
  return (
    <CategoriesLayout title="All books">
      <ListingGrid shelf={shelf} columns={3} heading="h2" empty={<EmptyShelf />} />
      <BookingModal onLearned={shelf.mark} />
    </CategoriesLayout>
  );
};
export default Categories;

/** What the server sends: the shelf loads in the browser, as whoever is signed in. */
export const HydrateFallback = () => (
  <CategoriesLayout title="All books">
    <NeedsScripts what="The full list" />
    <ListingGridSkeleton columns={3} />
  </CategoriesLayout>
);
