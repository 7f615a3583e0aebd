import { Link } from 'react-router';
import type { Listing } from '#contract/catalog/catalog.ts';
import { Cover } from '#web/ui/cover.tsx';
import { BookNow } from '#web/storefront/booking/book-now.tsx';
import { bookPath, publishedText, yearsOfUse } from './listing-words.ts';
import { Price } from './price.tsx';
import { badgeText, reservedLine } from '#web/storefront/booking/standing-words.tsx';
import { useStanding } from '#web/storefront/booking/use-standing.ts';

const Facts = ({ listing }: { listing: Listing }) => {
  const use = yearsOfUse(listing);
  return (
    <ul className="copy-facts">
      <li dir="auto" className="fact-place">
        {listing.location}
      </li>
      {use !== undefined && <li className="fact-use">{use}</li>}
      <li dir="auto" className="fact-seller">
        {listing.seller_verified ? (
          <>
            <span>{listing.Seller}</span>
            <b title="Verified seller">Verified seller</b>
          </>
        ) : (
          listing.Seller
        )}
      </li>
    </ul>
  );
};

/** Which edition it is, as far as its seller says. */
const Edition = ({ listing }: { listing: Listing }) => {
  const isbn = listing.isbn13 === '' ? '' : `ISBN ${listing.isbn13}`;
  const known = [publishedText(listing), isbn].filter((part) => part !== '');
  return known.length === 0 ? null : <p className="text-muted">{known.join(' · ')}</p>;
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
  <article className="copy-card">
    <div className="copy-columns">
      <div className="copy-cover">
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
      <div className="copy-text">
        <Heading dir="auto" title={listing.title}>
          <Link to={bookPath(listing._id)}>{listing.title}</Link>
        </Heading>
        {listing.authors !== '' && (
          <p dir="auto" className="copy-authors">
            {listing.authors}
          </p>
        )}
        <Edition listing={listing} />
        <p>
          <i>Condition:</i> {listing.condition}
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
