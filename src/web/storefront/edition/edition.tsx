import { useMemo } from 'react';
import {
  Link,
  redirect,
  useLoaderData,
  useSearchParams,
  type ClientLoaderFunctionArgs,
  type LoaderFunctionArgs,
  type MetaArgs,
  type MetaDescriptor,
  type MetaFunction,
} from 'react-router';
import { readEditionPage, type EditionAnswer, type EditionSort } from '#contract/catalog/editions/edition-page.ts';
import { normaliseIsbn } from '#contract/catalog/isbn.ts';
import { sharedPhotoPath } from '#contract/catalog/photo-sizes.ts';
import { call } from '#web/api/call.ts';
import type { Api } from '#web/api/client.ts';
import { loadInBrowser, loadOnServer, throwMissing, type Missing } from '#web/shell/data/load.ts';
import { useMore, type Page } from '#web/shell/data/use-more.ts';
import { useRefreshOnFocus } from '#web/shell/data/use-refresh-on-focus.ts';
import { TellMe } from '#web/shell/wants/tell-me.tsx';
import { publicMeta } from '#web/shell/layout/page-meta.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { useForgetStructuredData } from '#web/storefront/book/structured-data.ts';
import { BookingModal } from '#web/storefront/booking/booking-modal.tsx';
import { editionPath } from './addresses.ts';
import { copiesText } from './copies-text.ts';
import { EditionCopies, useLearned } from './edition-copies.tsx';
import { editionScript } from './edition-data.ts';
import { EditionHead, factsOf } from './edition-head.tsx';
import { EditionPrices } from './edition-prices.tsx';
import { PriceHistory } from './price-history.tsx';
import { FurtherOn } from './further-on.tsx';
import { sortIn, SortLinks } from './sort-links.tsx';

export { shouldRevalidate } from '#web/storefront/booking/book-param.ts';

const SORTS = [
  ['price', 'Price'],
  ['grade', 'Condition'],
] as const satisfies readonly (readonly [EditionSort, string])[];

const MISSING: Missing = {
  message: 'No copy here has this ISBN, and nothing is known of it.',
  next: { to: '/search', label: 'Search for the book' },
};

const NO_ISBN: Missing = {
  message: 'This is not the ISBN of a book: please compare its digits with the back cover.',
  next: MISSING.next,
};

/** The 13 digits of an address; another way of writing them is led there. */
const isbnIn = (text: string, { search }: URL): string => {
  const isbn13 = normaliseIsbn(text);
  if (isbn13 === undefined) return throwMissing(NO_ISBN);
  if (isbn13 !== text) throw redirect(`${editionPath(isbn13)}${search}`, 301);
  return isbn13;
};

const load = (api: Api, isbn: string, { searchParams }: URL) =>
  api.call(readEditionPage, {
    params: { isbn },
    query: { sort: sortIn(searchParams, ['price', 'grade']), cursor: searchParams.get('cursor') ?? undefined },
  });

export const loader = ({ context, params, request }: LoaderFunctionArgs) => {
  const url = new URL(request.url);
  const isbn = isbnIn(params['isbn'] ?? '', url);
  return loadOnServer(context, (api) => load(api, isbn, url), MISSING);
};

export const clientLoader = ({ params, request }: ClientLoaderFunctionArgs) => {
  const url = new URL(request.url);
  const isbn = isbnIn(params['isbn'] ?? '', url);
  return loadInBrowser((api) => load(api, isbn, url), request, MISSING);
};

const metaOf = (args: Pick<MetaArgs, 'matches' | 'location'>, edition: EditionAnswer): MetaDescriptor[] => {
  const { isbn13, title, authors, count, from, photo, image_url: url } = edition;
  const name = authors === '' ? title : `${title} by ${authors}`;
  const offered = from === null ? 'No copy is for sale here right now' : `Second-hand, ${copiesText(count, from)}`;
  return [
    ...publicMeta(args, {
      title: `${name} (${isbn13})`,
      description: `${offered}: ${[...factsOf(edition), `ISBN ${isbn13}`].join(', ')}. Compare condition, defects and price.`,
      path: editionPath(isbn13),
      picture: photo === null ? undefined : new URL(sharedPhotoPath(photo.name), url).href,
      type: 'book',
    }),
    { property: 'book:isbn', content: isbn13 },
    // Nothing to buy is nothing to find.
    ...(count === 0 ? [{ name: 'robots', content: 'noindex, follow' }] : []),
    ...editionScript(args, edition),
  ];
};

export const meta: MetaFunction<typeof loader> = (args) =>
  args.loaderData === undefined
    ? (args.matches.findLast((match) => match !== undefined && match.meta.length > 0)?.meta ?? [])
    : metaOf(args, args.loaderData);

const NoCopies = ({ edition: { isbn13, title, authors } }: { edition: EditionAnswer }) => (
  <EmptyState
    title="No copy is for sale here right now"
    action={
      <div className="flex flex-wrap justify-center gap-3">
        <TellMe look="primary" isbn={isbn13} title={title} author={authors} />
        <Link to={`/search?q=${encodeURIComponent(title.slice(0, 200))}`} className={buttonClass('secondary')}>
          Search for the title
        </Link>
        <a href="/dashboard/add_product" className={buttonClass('secondary')}>
          Sell yours
        </a>
      </div>
    }
  >
    Another edition of the book may be here. If you have a copy of this one, you can list it in a minute.
  </EmptyState>
);

const pageOf = ({ copies, next }: EditionAnswer): Page<EditionAnswer['copies'][number]> => ({
  rows: copies,
  next: next ?? undefined,
});

const Copies = ({ edition }: { edition: EditionAnswer }) => {
  const { isbn13, title } = edition;
  // One answer is one list: read on, it stays the same list while the page is drawn again.
  const first = useMemo(() => pageOf(edition), [edition]);
  const [params] = useSearchParams();
  const sort = sortIn(params, ['price', 'grade']);
  const list = useMore(
    first,
    async (cursor) => pageOf(await call(readEditionPage, { params: { isbn: isbn13 }, query: { sort, cursor } })),
    { keepPlace: true, of: `${isbn13} ${sort} ${params.get('cursor') ?? ''}` },
  );
  const { copies, onLearned } = useLearned(list.rows);
  return (
    <section aria-labelledby="copies-title">
      <div className="mb-3 flex flex-wrap items-baseline justify-between gap-x-6 gap-y-2">
        <h2 id="copies-title" className="font-serif text-xl font-semibold">
          Copies for sale
        </h2>
        {edition.count > 1 && <SortLinks sorts={SORTS} sort={sort} />}
      </div>
      <EditionCopies title={title} copies={copies} />
      <FurtherOn list={list} />
      <p className="mt-6 flex flex-wrap items-center gap-3 text-muted">
        None of these is the right one?
        <TellMe isbn={isbn13} title={title} author={edition.authors} />
      </p>
      <BookingModal onLearned={onLearned} />
    </section>
  );
};

const EditionPage = () => {
  const edition = useLoaderData<typeof loader>();
  useForgetStructuredData();
  useRefreshOnFocus();
  return (
    <div className="page flex max-w-5xl flex-col gap-10 py-8 sm:py-12">
      <EditionHead edition={edition} />
      {edition.count === 0 ? <NoCopies edition={edition} /> : <Copies key={edition.isbn13} edition={edition} />}
      <EditionPrices prices={edition.prices} />
      {edition.history.map((history) => (
        <PriceHistory key={history.condition} history={history} />
      ))}
    </div>
  );
};
export default EditionPage;
