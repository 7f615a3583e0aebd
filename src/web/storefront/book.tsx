import { useState } from 'react';
import {
  Link,
  useLoaderData,
  type ClientLoaderFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
} from 'react-router';
import { readListing, type Listing, type ListingStatus } from '#contract/catalog.ts';
import type { Api } from '#web/api/client.ts';
import { loadInBrowser, loadOnServer } from '#web/shell/load.ts';
import { useRefreshOnFocus } from '#web/shell/use-refresh-on-focus.ts';
import { Cover } from '#web/ui/cover.tsx';
import { BookFacts } from './book-facts.tsx';
import { bookMeta } from './book-meta.ts';
import { BookNow } from './book-now.tsx';
import { BookingModal } from './booking-modal.tsx';
import { statusText } from './listing-words.ts';
import { Price } from './price.tsx';
import { SellerContact } from './seller-contact.tsx';
import { useForgetStructuredData } from './structured-data.ts';
import type { Learned } from './use-shelf.ts';

export { shouldRevalidate } from './book-param.ts';

const load = (api: Api, id: string | undefined) => api.call(readListing, { params: { id: id ?? '' } });

export const loader = ({ context, params }: LoaderFunctionArgs) =>
  loadOnServer(context, (api) => load(api, params['id']));

export const clientLoader = ({ params, request }: ClientLoaderFunctionArgs) =>
  loadInBrowser((api) => load(api, params['id']), request);

export const meta: MetaFunction<typeof loader> = (args) =>
  args.loaderData === undefined ? [] : bookMeta(args, args.loaderData);

const NOTE: Record<ListingStatus, string> = {
  Available: 'Booking keeps this copy for you for a short while. You pay by card in My Orders.',
  Reserved: 'Somebody has this copy for now. If they do not pay in time, the first in line gets it.',
  Sold: 'Another reader has bought this copy.',
};

const Offer = ({ listing }: { listing: Listing }) => (
  <div className="flex max-w-sm flex-col gap-3">
    <Price original={listing.original_price} resale={listing.resale_price} large />
    <p>
      <span className="badge border-base-300 bg-base-200 text-sm whitespace-nowrap text-base-content">
        {statusText(listing)}
      </span>
    </p>
    <BookNow listing={listing} look="primary" />
    <p className="text-sm text-muted">
      {NOTE[listing.status]}
      {listing.status !== 'Available' && (
        <>
          {' '}
          <Link to={`/category/${encodeURIComponent(listing.category_id)}`} className="text-link">
            More books in {listing.category_name}
          </Link>
        </>
      )}
    </p>
  </div>
);

const Book = ({ listing, onLearned }: { listing: Listing; onLearned: (learned: Learned) => void }) => {
  useForgetStructuredData();
  return (
    <div className="page grid max-w-5xl gap-8 py-8 sm:grid-cols-[minmax(0,16rem)_minmax(0,1fr)] sm:py-12 lg:grid-cols-[20rem_minmax(0,1fr)] lg:gap-14">
      <Cover
        title={listing.title}
        authors={listing.authors}
        imageUrl={listing.image_url}
        eager
        className="mx-auto w-full max-w-64 self-start sm:max-w-none"
      />
      <article className="flex min-w-0 flex-col gap-6">
        <div>
          <h1 className="font-serif text-3xl leading-tight font-bold break-words sm:text-4xl">{listing.title}</h1>
          {listing.authors !== '' && <p className="mt-2 text-lg break-words text-muted">{listing.authors}</p>}
        </div>
        <Offer listing={listing} />
        {listing.details !== '' && (
          <section aria-labelledby="details">
            <h2 id="details" className="mb-2 font-serif text-xl font-semibold">
              About this copy
            </h2>
            <p className="max-w-[70ch] leading-relaxed break-words whitespace-pre-line">{listing.details}</p>
          </section>
        )}
        <BookFacts listing={listing} />
        <SellerContact listing={listing} />
      </article>
      <BookingModal onLearned={(id, learned) => id === listing._id && onLearned(learned)} />
    </div>
  );
};

const BookPage = () => {
  const loaded = useLoaderData<typeof loader>();
  useRefreshOnFocus();
  const [told, setTold] = useState<{ of: Listing; learned: Learned }>();
  const learned = told?.of === loaded ? told.learned : {};
  return (
    <Book
      key={loaded._id}
      listing={{ ...loaded, ...learned }}
      onLearned={(more) => setTold({ of: loaded, learned: { ...learned, ...more } })}
    />
  );
};
export default BookPage;
