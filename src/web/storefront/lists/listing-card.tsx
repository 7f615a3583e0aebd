import { Link } from 'react-router';
import type { Listing } from '#contract/catalog.ts';
import { Cover } from '#web/ui/cover.tsx';
import { ClockIcon, PersonIcon, PinIcon, VerifiedIcon } from '#web/ui/icons.tsx';
import { BookNow } from '#web/storefront/booking/book-now.tsx';
import { bookPath, publishedText, yearsOfUse } from './listing-words.ts';
import { Price } from './price.tsx';
import { badgeText, reservedLine } from '#web/storefront/booking/standing-words.tsx';
import { useStanding } from '#web/storefront/booking/use-standing.ts';

const Facts = ({ listing }: { listing: Listing }) => {
  const use = yearsOfUse(listing);
  return (
    <ul className="flex flex-col gap-1 text-sm text-muted">
      <li className="flex items-center gap-1.5">
        <PinIcon className="size-4 shrink-0" />
        <span dir="auto" className="truncate">
          {listing.location}
        </span>
      </li>
      {use !== undefined && (
        <li className="flex items-center gap-1.5">
          <ClockIcon className="size-4 shrink-0" />
          {use}
        </li>
      )}
      <li className="flex items-center gap-1.5">
        <PersonIcon className="size-4 shrink-0" />
        <span dir="auto" className="truncate">
          {listing.Seller}
        </span>
        {listing.seller_verified && (
          <span title="Verified seller" className="relative shrink-0 text-primary">
            <VerifiedIcon className="size-4" />
            <span className="sr-only">Verified seller</span>
          </span>
        )}
      </li>
    </ul>
  );
};

/** Which edition it is, as far as its seller says. */
const Edition = ({ listing }: { listing: Listing }) => {
  const isbn = listing.isbn13 === '' ? '' : `ISBN ${listing.isbn13}`;
  const known = [publishedText(listing), isbn].filter((part) => part !== '');
  return known.length === 0 ? null : <p className="text-sm break-words text-muted">{known.join(' · ')}</p>;
};

/** Over the cover: whose the copy is just now; nothing on one that anybody can book. */
const Badge = ({ listing }: { listing: Listing }) => {
  const standing = useStanding(listing._id);
  if (listing.status === 'Available' && (standing === undefined || standing.kind === 'waiting')) return null;
  return (
    <span className="badge absolute top-2 left-1.5 border-base-300 bg-base-100 px-2 text-xs whitespace-nowrap sm:left-2 sm:text-sm text-base-content">
      {standing?.kind === 'own' ? 'Your listing' : badgeText({ ...listing, waiting: 0 }, standing)}
    </span>
  );
};

const Reserved = ({ listing }: { listing: Listing }) => {
  const standing = useStanding(listing._id);
  if (listing.status !== 'Reserved') return null;
  return <p className="mb-2 truncate text-sm text-muted">{reservedLine(listing, standing)}</p>;
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
    <div className="flex h-full sm:max-lg:flex-col lg:flex-col @max-[15rem]:flex-col! @min-[25rem]:flex-row!">
      <div className="relative flex w-32 shrink-0 items-start @max-[15rem]:w-full! justify-center bg-base-200 p-3 sm:w-full sm:p-5 @min-[25rem]:w-40! @min-[25rem]:p-4!">
        <Cover
          title={listing.title}
          authors={listing.authors}
          imageUrl={listing.image_url}
          eager={eager}
          decorative
          className="w-full sm:max-w-36"
        />
        <Badge listing={listing} />
      </div>
      <div className="flex min-w-0 flex-1 flex-col gap-2 p-4">
        <div>
          <Heading
            dir="auto"
            className="line-clamp-2 font-serif text-lg leading-snug font-semibold break-words"
            title={listing.title}
          >
            <Link to={bookPath(listing._id)} className="hover:text-primary hover:underline underline-offset-4">
              {listing.title}
            </Link>
          </Heading>
          {listing.authors !== '' && (
            <p dir="auto" className="truncate text-sm text-muted">
              {listing.authors}
            </p>
          )}
        </div>
        <Edition listing={listing} />
        <p className="text-sm">
          <span className="text-muted">Condition:</span> <span className="font-medium">{listing.condition}</span>
        </p>
        <Price original={listing.original_price} resale={listing.resale_price} />
        <Facts listing={listing} />
        <div className="mt-auto pt-2">
          <Reserved listing={listing} />
          <BookNow listing={listing} look="soft" />
        </div>
      </div>
    </div>
  </article>
);
