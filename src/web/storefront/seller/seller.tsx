import type { ReactNode } from 'react';
import {
  Form,
  redirect,
  useLoaderData,
  type ClientLoaderFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
} from 'react-router';
import { searchListings } from '#contract/catalog/search.ts';
import { deliveryInWords } from '#contract/delivery/delivery-words.ts';
import type { Review } from '#contract/orders/reviews.ts';
import { listSellerReviews, readSellerPage, type SellerPage } from '#contract/sellers/sellers.ts';
import { SELLS_AS_WORDS } from '#contract/law/withdrawal.ts';
import { formatDate, formatMonth } from '#contract/time.ts';
import { call } from '#web/api/call.ts';
import type { Api } from '#web/api/client.ts';
import { loadInBrowser, loadOnServer, type Missing } from '#web/shell/data/load.ts';
import { reportPath } from '#web/shell/data/report-path.ts';
import type { Page } from '#web/shell/data/use-more.ts';
import { publicMeta } from '#web/shell/layout/page-meta.ts';
import { written } from '#web/storefront/book/structured-data.ts';
import { BookingModal } from '#web/storefront/booking/booking-modal.tsx';
import { listedCopy, type ListedCopy } from '#web/storefront/lists/listed-copy.ts';
import { ListingGrid } from '#web/storefront/lists/listing-grid.tsx';
import { useShelf, type ListingPage } from '#web/storefront/lists/use-shelf.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { EmptyState, Notice } from '#web/ui/states.tsx';
import { VerifiedMark } from '#web/ui/verified-mark.tsx';
import { ImprintFacts } from '#web/shell/law/imprint.tsx';
import { FollowButton } from './follow-button.tsx';
import { Record, RecordLine } from './record.tsx';
import { sellerPath } from '#web/storefront/lists/listing-words.ts';
import { SellerReviews } from './seller-reviews.tsx';

export { shouldRevalidate } from '#web/storefront/booking/book-param.ts';

const MISSING: Missing = {
  message: 'There is no such seller here. They may have left, or changed the address of their page.',
  next: { to: '/search', label: 'Search for a book' },
};

/** Reviews on the page before more are asked for. */
const FIRST_REVIEWS = '5';

interface Loaded {
  readonly seller: SellerPage;
  readonly reviews: Page<Review>;
  readonly shelf: ListingPage<ListedCopy>;
}

const shelfOf = async (api: Pick<Api, 'call'>, seller: string, cursor?: string): Promise<ListingPage<ListedCopy>> => {
  const { listings, next } = await api.call(searchListings, { query: { seller, sort: 'newest', cursor } });
  return { rows: listings.map(listedCopy), next: next ?? undefined };
};

/** Another way of writing the address is led to the one. */
const load = async (api: Api, slug: string, { searchParams, search }: URL): Promise<Loaded> => {
  const seller = await api.call(readSellerPage, { params: { slug } });
  if (seller.slug !== slug) throw redirect(`${sellerPath(seller.slug)}${search}`, 301);
  const [reviews, shelf] = await Promise.all([
    api.callPage(listSellerReviews, { params: { slug }, query: { limit: FIRST_REVIEWS } }),
    shelfOf(api, seller._id, searchParams.get('cursor') ?? undefined),
  ]);
  return { seller, reviews, shelf };
};

export const loader = ({ context, params, request }: LoaderFunctionArgs) =>
  loadOnServer(context, (api) => load(api, params['slug'] ?? '', new URL(request.url)), MISSING);

export const clientLoader = ({ params, request }: ClientLoaderFunctionArgs) =>
  loadInBrowser((api) => load(api, params['slug'] ?? '', new URL(request.url)), request, MISSING);

export const meta: MetaFunction<typeof loader> = (args) => {
  if (args.loaderData === undefined)
    return args.matches.findLast((match) => match !== undefined && match.meta.length > 0)?.meta ?? [];
  const { name, slug, place, about } = args.loaderData.seller;
  const from = place === '' ? '' : ` from ${place}`;
  const path = sellerPath(slug);
  return [
    ...publicMeta(args, {
      title: `${name}’s books`,
      description: `Second-hand books of ${name}${from}. ${about.replaceAll(/\s+/g, ' ')}`.trim().slice(0, 160),
      path,
      feed: `seller=${args.loaderData.seller._id}`,
    }),
    ...(import.meta.env.SSR
      ? written(args, (origin) => ({
          '@context': 'https://schema.org',
          '@type': 'ProfilePage',
          url: `${origin}${path}`,
          mainEntity: { '@type': 'Person', name, ...(about !== '' && { description: about }) },
        }))
      : []),
  ];
};

const Head = ({ seller }: { seller: SellerPage }) => {
  const { name, verified, place, since, about, slug, _id: id } = seller;
  return (
    <header className="flex flex-wrap items-start justify-between gap-x-8 gap-y-4">
      <div className="min-w-0 flex-1 basis-80">
        <h1 className="flex items-center gap-2 font-serif text-3xl leading-tight font-bold sm:text-4xl">
          <span dir="auto" className="min-w-0 break-words">
            {name}
          </span>
          {verified && <VerifiedMark size="size-5" />}
        </h1>
        <p className="mt-1 text-muted">
          {place !== '' && (
            <>
              <span dir="auto">{place}</span>
              {' · '}
            </>
          )}
          here since {formatMonth(since, 'UTC')}
        </p>
        {about !== '' && (
          <p dir="auto" className="mt-4 max-w-prose break-words whitespace-pre-line">
            {about}
          </p>
        )}
      </div>
      <div className="flex flex-col items-start gap-2">
        <FollowButton slug={slug} sellerId={id} name={name} />
        <a href={reportPath('person', slug)} rel="nofollow" className="py-1 text-sm text-link">
          Report this seller
        </a>
        <a href={`/api/feeds/search.atom?seller=${id}`} className="py-1 text-sm text-link">
          Feed of new books
        </a>
      </div>
    </header>
  );
};

const Part = ({ id, title, children }: { id: string; title: string; children: ReactNode }) => (
  <section aria-labelledby={id} className="min-w-0">
    <h2 id={id} className="mb-3 font-serif text-xl font-semibold">
      {title}
    </h2>
    {children}
  </section>
);

/** Finds a book on this shelf alone, with all choices of a search; works without scripts. */
const ShelfSearch = ({ seller: { _id: id, name } }: { seller: SellerPage }) => (
  <Form action="/search" role="search" aria-label={`Books of ${name}`} className="mb-5 flex flex-wrap gap-2">
    <input type="hidden" name="seller" value={id} />
    <input
      type="search"
      name="q"
      aria-label="Search this shelf"
      placeholder="Search this shelf"
      className="input h-11 min-w-0 flex-1 basis-40 text-base sm:text-sm"
    />
    <button type="submit" className={buttonClass('secondary')}>
      Search and filter
    </button>
  </Form>
);

const SellerView = ({ seller, reviews, shelf: first }: Loaded) => {
  const shelf = useShelf(first, (cursor) => shelfOf({ call }, seller._id, cursor));
  const { away, delivery, name } = seller;
  return (
    <div className="page py-8 sm:py-12">
      <Head seller={seller} />
      <RecordLine seller={seller} />
      {away !== null && (
        <div className="mt-6">
          <Notice tone="info" title={`${name} is away`}>
            {away.until === null
              ? 'Their books come back when they do.'
              : `Their books come back on ${formatDate(`${away.until}T00:00:00Z`, 'UTC')}.`}
          </Notice>
        </div>
      )}
      <div className="mt-8 grid gap-x-12 gap-y-10 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <Part id="shelf" title="On the shelf">
          {shelf.rows.length > 0 && <ShelfSearch seller={seller} />}
          <ListingGrid
            shelf={shelf}
            columns={2}
            heading="h3"
            empty={<EmptyState title="Nothing on the shelf">{name} has no book for sale right now.</EmptyState>}
          />
        </Part>
        <div className="flex min-w-0 flex-col gap-10">
          <Part id="record" title="Record">
            <Record seller={seller} />
          </Part>
          <Part id="sells-as" title={seller.imprint === null ? 'Private or business' : 'Business'}>
            {seller.imprint !== null && <ImprintFacts imprint={seller.imprint} />}
            <p className="text-muted not-first:mt-3">
              {SELLS_AS_WORDS[seller.sellsAs]}{' '}
              {seller.imprint !== null && (
                <a href="/#withdrawal" className="text-link">
                  How to withdraw
                </a>
              )}
            </p>
          </Part>
          <Part id="delivery" title="Delivery">
            <ul className="flex flex-col gap-1">
              {deliveryInWords({ ...delivery, pickupPlace: '' }).map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          </Part>
          <Part id="reviews" title="Reviews">
            <SellerReviews seller={seller} first={reviews} />
          </Part>
        </div>
      </div>
      <BookingModal onLearned={shelf.mark} />
    </div>
  );
};

const SellerRoute = () => {
  const loaded = useLoaderData<typeof loader>();
  return <SellerView key={loaded.seller._id} {...loaded} />;
};
export default SellerRoute;
