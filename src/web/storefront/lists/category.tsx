import {
  useLoaderData,
  useParams,
  type ClientLoaderFunctionArgs,
  type LoaderFunctionArgs,
  type MetaArgs,
  type MetaFunction,
} from 'react-router';
import { listCategoryListings } from '#contract/catalog/catalog.ts';
import { callPage } from '#web/api/call.ts';
import type { Api } from '#web/api/client.ts';
import { useCategories, type SiteData } from '#web/shell/data/categories.ts';
import { loadInBrowser, loadOnServer, type Missing } from '#web/shell/data/load.ts';
import { publicMeta } from '#web/shell/layout/page-meta.ts';
import { BookingModal } from '#web/storefront/booking/booking-modal.tsx';
import { CategoriesLayout } from './categories-layout.tsx';
import { listedCopy, type ListedCopy } from './listed-copy.ts';
import { EmptyShelf, ListingGrid } from './listing-grid.tsx';
import { shelfScript, useForgetStructuredData } from '#web/storefront/book/structured-data.ts';
import { useShelf, type ListingPage } from './use-shelf.ts';

export { shouldRevalidate } from '#web/storefront/booking/book-param.ts';

const MISSING: Missing = {
  message: 'There is no such category. It may have been merged into another one.',
  next: { to: '/search', label: 'Search all categories' },
};

/** Copies of a category, and what it is called where there are any. */
const load = async (api: Api, id: string, cursor: string | undefined) => {
  const { rows, next } = await api.callPage(listCategoryListings, { params: { id }, query: { cursor } });
  return { rows: rows.map(listedCopy), next, name: rows[0]?.category_name };
};

const cursorOf = (request: Request): string | undefined => new URL(request.url).searchParams.get('cursor') ?? undefined;

export const loader = ({ context, params, request }: LoaderFunctionArgs) =>
  loadOnServer(context, (api) => load(api, params['id'] ?? '', cursorOf(request)), MISSING);

export const clientLoader = ({ params, request }: ClientLoaderFunctionArgs) =>
  loadInBrowser((api) => load(api, params['id'] ?? '', cursorOf(request)), request, MISSING);

/** An empty category has a name too: the site's layout knows them all. */
const categoryName = ({ matches }: Pick<MetaArgs, 'matches'>, id: string): string | undefined => {
  const site = matches.find((match) => match?.id === 'site')?.loaderData as SiteData | undefined;
  return site?.categories.find((category) => category.category_id === id)?.category_name;
};

export const meta: MetaFunction<typeof loader> = (args) => {
  const id = args.params['id'] ?? '';
  const name = categoryName(args, id) ?? args.loaderData?.name ?? id;
  return [
    ...publicMeta(args, {
      title: name,
      description: `Second-hand books in ${name}: real copies from readers, at a fraction of the price.`,
      path: `/category/${encodeURIComponent(id)}`,
      feed: `category=${encodeURIComponent(id)}`,
    }),
    ...shelfScript(args, args.loaderData?.rows),
  ];
};

const Shelf = ({ id, first }: { id: string; first: ListingPage<ListedCopy> & { name: string | undefined } }) => {
  useForgetStructuredData();
  const categories = useCategories();
  const shelf = useShelf(first, (cursor) => callPage(listCategoryListings, { params: { id }, query: { cursor } }));
  const name = categories.find((category) => category.category_id === id)?.category_name;
  return (
    <CategoriesLayout title={name ?? first.name ?? id}>
      <ListingGrid shelf={shelf} columns={2} heading="h2" empty={<EmptyShelf />} />
      <BookingModal onLearned={shelf.mark} />
    </CategoriesLayout>
  );
};

const CategoryPage = () => {
  const first = useLoaderData<typeof loader>();
  const id = useParams()['id'] ?? '';
  return <Shelf key={id} id={id} first={first} />;
};
export default CategoryPage;
