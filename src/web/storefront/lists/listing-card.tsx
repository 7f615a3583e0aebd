import type { ReactNode } from 'react';
import type { Standing } from '#contract/bookings/standing.ts';
import { Cover } from '#web/ui/cover.tsx';
import { BookNow } from '#web/storefront/booking/book-now.tsx';
import type { ListedCopy } from './listed-copy.ts';
import { bookPath, sellerPath, smallCover, yearText } from './listing-words.ts';
import { Price } from './price.tsx';
import { CardHeart } from '#web/storefront/marks/card-heart.tsx';
import { badgeText, reservedLine } from '#web/storefront/booking/standing-words.tsx';
import { useStanding } from '#web/storefront/booking/use-standing.ts';

// Functions and not components: a page has dozens of cards, and none of these parts has a state.

/** Who wrote it, and when this edition came out. */
const byOf = ({ authors, published_year: year }: ListedCopy): ReactNode => {
  const known = [authors, year === null ? '' : yearText(year)].filter((part) => part !== '');
  return known.length === 0 ? null : (
    <p dir="auto" className="copy-by">
      {known.join(' · ')}
    </p>
  );
};

const sellerOf = ({ Seller: name, seller_slug: slug, seller_verified: isVerified }: ListedCopy): ReactNode => (
  <p className="copy-seller">
    <a dir="auto" href={sellerPath(slug)}>
      {name}
    </a>
    {isVerified && <i title="Verified seller">Verified seller</i>}
  </p>
);

/** Over the cover: whose the copy is just now; nothing on one that anybody can book. */
const badgeOf = (listing: ListedCopy, standing: Standing | undefined): ReactNode => {
  if (listing.status === 'Available' && (standing === undefined || standing.kind === 'waiting')) return null;
  return (
    <span className="copy-badge">
      {standing?.kind === 'own' ? 'Your listing' : badgeText({ ...listing, waiting: 0 }, standing)}
    </span>
  );
};

export interface ListingCardProps {
  listing: ListedCopy;
  /** True for a cover that is seen without scrolling. */
  eager: boolean;
  /** One level below the heading that stands over the cards. */
  heading: 'h2' | 'h3';
  /** What else is said of it. */
  more?: ReactNode;
}

/** One copy for sale. */
export const ListingCard = ({ listing, eager, heading: Heading, more }: ListingCardProps) => {
  const { _id: id, title, authors, status, location } = listing;
  const standing = useStanding(id);
  // What can be done about a reserved copy is two buttons: they need the whole width.
  const isReserved = status === 'Reserved';
  const step = <BookNow listing={listing} look="primary" isWide={false} />;
  return (
    <article className="copy-card">
      <div className="copy-cover">
        <Cover title={title} authors={authors} imageUrl={smallCover(listing)} eager={eager} decorative />
        {badgeOf(listing, standing)}
      </div>
      <div className="copy-text">
        <Heading dir="auto" title={title}>
          <a href={bookPath(id)}>{title}</a>
        </Heading>
        {byOf(listing)}
        <p className="copy-is">
          <b>
            <span className="sr-only">Condition: </span>
            {listing.condition}
          </b>
          <span dir="auto">{location}</span>
        </p>
        {sellerOf(listing)}
        {more}
        {isReserved && <p className="copy-waiting">{reservedLine(listing, standing)}</p>}
        <div className="copy-buy">
          <Price original={listing.original_price} resale={listing.resale_price} saving={false} />
          {!isReserved && step}
        </div>
      </div>
      {isReserved && <div className="copy-step">{step}</div>}
      <CardHeart listing={listing} />
    </article>
  );
};
