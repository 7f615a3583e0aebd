import { Link } from 'react-router';
import type { Listing } from '#contract/catalog.ts';
import { Cover } from '#web/ui/cover.tsx';
import { ClockIcon, PersonIcon, PinIcon, VerifiedIcon } from '#web/ui/icons.tsx';
import { BookNow } from './book-now.tsx';
import { bookPath, publishedText, waitingText, yearsOfUse } from './listing-words.ts';
import { Price } from './price.tsx';

const Facts = ({ listing }: { listing: Listing }) => (
  <ul className="flex flex-col gap-1 text-sm text-muted">
    <li className="flex items-center gap-1.5">
      <PinIcon className="size-4 shrink-0" />
      <span className="truncate">{listing.location}</span>
    </li>
    <li className="flex items-center gap-1.5">
      <ClockIcon className="size-4 shrink-0" />
      {yearsOfUse(listing.years_of_use)}
    </li>
    <li className="flex items-center gap-1.5">
      <PersonIcon className="size-4 shrink-0" />
      <span className="truncate">{listing.Seller}</span>
      {listing.seller_verified && (
        <span title="Verified seller" className="shrink-0 text-primary">
          <VerifiedIcon className="size-4" />
          <span className="sr-only">Verified seller</span>
        </span>
      )}
    </li>
  </ul>
);

/** Which edition it is, as far as its seller says. */
const Edition = ({ listing }: { listing: Listing }) => {
  const isbn = listing.isbn13 === '' ? '' : `ISBN ${listing.isbn13}`;
  const known = [publishedText(listing), isbn].filter((part) => part !== '');
  return known.length === 0 ? null : <p className="text-sm break-words text-muted">{known.join(' · ')}</p>;
};

export interface ListingCardProps {
  listing: Listing;
  /** True for covers that are seen without scrolling. */
  eager: boolean;
  /** One level below the heading that stands over the cards. */
  heading: 'h2' | 'h3';
}

/** One copy for sale: side by side on phones and in wide columns, cover on top in narrow ones. */
export const ListingCard = ({ listing, eager, heading: Heading }: ListingCardProps) => (
  <article className="@container h-full overflow-hidden rounded-box border border-base-300 bg-base-100">
    <div className="flex h-full sm:max-lg:flex-col lg:flex-col @min-[25rem]:flex-row!">
      <div className="relative flex w-32 shrink-0 items-start justify-center bg-base-200 p-3 sm:w-full sm:p-5 @min-[25rem]:w-40! @min-[25rem]:p-4!">
        <Cover
          title={listing.title}
          authors={listing.authors}
          imageUrl={listing.image_url}
          eager={eager}
          decorative
          className="w-full sm:max-w-36"
        />
        {listing.status !== 'Available' && (
          <span className="badge absolute top-2 left-2 border-base-300 bg-base-100 text-sm text-base-content">
            {listing.status}
          </span>
        )}
      </div>
      <div className="flex min-w-0 flex-1 flex-col gap-2 p-4">
        <div>
          <Heading
            className="line-clamp-2 font-serif text-lg leading-snug font-semibold break-words"
            title={listing.title}
          >
            <Link to={bookPath(listing._id)} className="hover:text-primary hover:underline underline-offset-4">
              {listing.title}
            </Link>
          </Heading>
          {listing.authors !== '' && <p className="truncate text-sm text-muted">{listing.authors}</p>}
        </div>
        <Edition listing={listing} />
        <p className="text-sm">
          <span className="text-muted">Condition:</span> <span className="font-medium">{listing.condition}</span>
        </p>
        <Price original={listing.original_price} resale={listing.resale_price} />
        <Facts listing={listing} />
        <div className="mt-auto pt-2">
          {listing.waiting > 0 && <p className="mb-2 text-sm text-muted">{waitingText(listing.waiting)} in line</p>}
          <BookNow listing={listing} look="soft" />
        </div>
      </div>
    </div>
  </article>
);
