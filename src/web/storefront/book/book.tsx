import { useState } from 'react';
import {
  useLoaderData,
  type ClientLoaderFunctionArgs,
  type LoaderFunctionArgs,
  type MetaArgs,
  type MetaDescriptor,
  type MetaFunction,
} from 'react-router';
import { readListing, type ListingDetail } from '#contract/catalog/catalog.ts';
import { listEditionCopies } from '#contract/catalog/editions/editions.ts';
import { deliveryInWords } from '#contract/delivery/delivery-words.ts';
import type { Api } from '#web/api/client.ts';
import { loadInBrowser, loadOnServer, type Missing } from '#web/shell/data/load.ts';
import { useRefreshOnFocus } from '#web/shell/data/use-refresh-on-focus.ts';
import { classes } from '#web/ui/classes.ts';
import { Cover } from '#web/ui/cover.tsx';
import { BookFacts } from './book-facts.tsx';
import { CopyPassport } from './copy-passport.tsx';
import { bookMeta } from './book-meta.ts';
import { BookingModal } from '#web/storefront/booking/booking-modal.tsx';
import { AuthorLinks } from '#web/storefront/edition/author-links.tsx';
import { Heart } from '#web/storefront/marks/heart.tsx';
import { Gallery } from './gallery.tsx';
import { PausedNotice } from './own-paused.tsx';
import { OtherCopies, OtherCopiesLink, type OtherCopiesShown } from './other-copies.tsx';
import { BuyBar, Note, Offer } from './offer.tsx';
import { SellerCard } from './seller-card.tsx';
import { TakeDown } from './take-down.tsx';
import { useForgetStructuredData } from './structured-data.ts';
import type { Learned } from '#web/storefront/lists/use-shelf.ts';

export { MissingBook as ErrorBoundary } from './own-paused.tsx';
export { shouldRevalidate } from '#web/storefront/booking/book-param.ts';

const NO_OTHERS: OtherCopiesShown = { copies: [], count: 0 };

const MISSING: Missing = {
  message: 'There is no such book. Its seller may have taken it out of the shop.',
  next: { to: '/search', label: 'Find another copy' },
};

const load = async (api: Api, id = '') => {
  const params = { id };
  const [listing, others] = await Promise.all([
    api.call(readListing, { params }),
    // Other copies are a nicety: without them the page is still whole.
    api.call(listEditionCopies, { params }).catch(() => NO_OTHERS),
  ]);
  // Put into words once: server and browser may know other names of a country.
  return { listing, others, delivery: deliveryInWords(listing.delivery) };
};

export const loader = ({ context, params }: LoaderFunctionArgs) =>
  loadOnServer(context, (api) => load(api, params['id']), MISSING);

export const clientLoader = ({ params, request }: ClientLoaderFunctionArgs) =>
  loadInBrowser((api) => load(api, params['id']), request, MISSING);

/** What stands around the page says them. */
const wordsOfError = ({ matches }: Pick<MetaArgs, 'matches'>): MetaDescriptor[] =>
  matches.findLast((match) => match !== undefined && match.meta.length > 0)?.meta ?? [];

export const meta: MetaFunction<typeof loader> = (args) =>
  args.loaderData === undefined ? wordsOfError(args) : bookMeta(args, args.loaderData.listing);

/** Letters beyond which a title would be all that a phone shows. */
const LONG_TITLE = 90;

interface BookProps {
  listing: ListingDetail;
  others: OtherCopiesShown;
  /** How the copy comes to its buyer, line by line. */
  delivery: readonly string[];
  /** Told what a copy on the page turned out to be. */
  onLearned: (id: string, learned: Learned) => void;
}

const Book = ({ listing, others, delivery, onLearned }: BookProps) => {
  useForgetStructuredData();
  return (
    <div className="page grid max-w-5xl gap-6 py-6 sm:gap-8 sm:grid-cols-[minmax(0,16rem)_minmax(0,1fr)] sm:py-12 lg:grid-cols-[20rem_minmax(0,1fr)] lg:gap-14">
      <Gallery
        title={listing.title}
        photos={listing.photos}
        drawn={
          <figure className="mx-auto w-[min(16rem,26svh)] self-start sm:w-full">
            <Cover title={listing.title} authors={listing.authors} imageUrl="" eager />
            <figcaption className="mt-2 text-center text-sm text-muted">No photo yet</figcaption>
          </figure>
        }
      />
      <article className="flex min-w-0 flex-col gap-5 sm:gap-6">
        {listing.status === 'Paused' && <PausedNotice listing={listing} />}
        <div>
          <h1
            dir="auto"
            className={classes(
              'font-serif leading-tight font-bold break-words',
              listing.title.length > LONG_TITLE ? 'text-xl sm:text-2xl' : 'text-3xl sm:text-4xl',
            )}
          >
            {listing.title}
          </h1>
          {listing.authors !== '' && (
            <p dir="auto" className="mt-2 text-lg break-words text-muted">
              <AuthorLinks authors={listing.authors} pages={listing.author_pages} />
            </p>
          )}
        </div>
        <Offer listing={listing} delivery={delivery} />
        <BuyBar listing={listing} />
        <div className="-my-2">
          <Heart listing={listing} />
        </div>
        <Note listing={listing} />
        <OtherCopiesLink {...others} />
        {listing.details !== '' && (
          <section aria-labelledby="details">
            <h2 id="details" className="mb-2 font-serif text-xl font-semibold">
              About this copy
            </h2>
            <blockquote
              dir="auto"
              className="max-w-[60ch] border-s-4 border-primary ps-4 font-serif text-lg leading-relaxed break-words whitespace-pre-line"
            >
              {listing.details}
            </blockquote>
          </section>
        )}
        {listing.passport !== null && (
          <CopyPassport passport={listing.passport} title={listing.title} photos={listing.photos} />
        )}
        <BookFacts listing={listing} />
        <SellerCard listing={listing} />
        <TakeDown listing={listing} />
        <OtherCopies of={listing} others={others} />
      </article>
      <BookingModal onLearned={onLearned} />
    </div>
  );
};

/** The others without those that were just taken. */
const stillFree = ({ copies, count }: OtherCopiesShown, learned: ReadonlyMap<string, Learned>): OtherCopiesShown => {
  const free = copies.filter(({ _id, status }) => (learned.get(_id)?.status ?? status) === 'Available');
  return { copies: free, count: count - copies.length + free.length };
};

const NOTHING: ReadonlyMap<string, Learned> = new Map();

const BookPage = () => {
  const loaded = useLoaderData<typeof loader>();
  useRefreshOnFocus();
  // What was learned is about the page as it was read: one that is read again knows better.
  const [told, setTold] = useState({ of: loaded, learned: NOTHING });
  const learned = told.of === loaded ? told.learned : NOTHING;
  const { listing, others, delivery } = loaded;
  return (
    <Book
      key={listing._id}
      listing={{ ...listing, ...learned.get(listing._id) }}
      others={stillFree(others, learned)}
      delivery={delivery}
      onLearned={(id, more) =>
        setTold({ of: loaded, learned: new Map(learned).set(id, { ...learned.get(id), ...more }) })
      }
    />
  );
};
export default BookPage;
