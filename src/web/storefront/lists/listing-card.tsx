import type { ReactNode } from 'react';
import type { Standing } from '#contract/bookings/standing.ts';
import { Cover } from '#web/ui/cover.tsx';
import { BookNow } from '#web/storefront/booking/book-now.tsx';
import type { ListedCopy } from './listed-copy.ts';
import { bookPath, publishedText, yearsOfUse } from './listing-words.ts';
import { Price } from './price.tsx';
import { badgeText, reservedLine } from '#web/storefront/booking/standing-words.tsx';
import { useStanding } from '#web/storefront/booking/use-standing.ts';

// Functions and not components: a page has dozens of cards, and none of these parts has a state.

const factsOf = (listing: ListedCopy): ReactNode => {
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
const editionOf = (listing: ListedCopy): ReactNode => {
  const isbn = listing.isbn13 === '' ? '' : `ISBN ${listing.isbn13}`;
  const known = [publishedText(listing), isbn].filter((part) => part !== '');
  return known.length === 0 ? null : <p className="text-muted">{known.join(' · ')}</p>;
};

/** Over the cover: whose the copy is just now; nothing on one that anybody can book. */
const badgeOf = (listing: ListedCopy, standing: Standing | undefined): ReactNode => {
  if (listing.status === 'Available' && (standing === undefined || standing.kind === 'waiting')) return null;
  return (
    <span className="badge">
      {standing?.kind === 'own' ? 'Your listing' : badgeText({ ...listing, waiting: 0 }, standing)}
    </span>
  );
};

export interface ListingCardProps {
  listing: ListedCopy;
  /** True for covers that are seen without scrolling. */
  eager: boolean;
  /** One level below the heading that stands over the cards. */
  heading: 'h2' | 'h3';
}

/** One copy for sale. */
export const ListingCard = ({ listing, eager, heading: Heading }: ListingCardProps) => {
  const { _id: id, title, authors, status } = listing;
  const standing = useStanding(id);
  return (
    <article className="copy-card">
      <div className="copy-cover">
        <Cover
          title={title}
          authors={authors}
          imageUrl={listing.photo === null ? '' : listing.image_url.replace('720.webp', '320.webp')}
          fineUrl={listing.photo === null ? undefined : listing.image_url}
          eager={eager}
          decorative
        />
        {badgeOf(listing, standing)}
      </div>
      <div className="copy-text">
        <Heading dir="auto" title={title}>
          <a href={bookPath(id)}>{title}</a>
        </Heading>
        {authors !== '' && (
          <p dir="auto" className="copy-authors">
            {authors}
          </p>
        )}
        {editionOf(listing)}
        <p>
          <i>Condition:</i>
          {` ${listing.condition}`}
        </p>
        <Price original={listing.original_price} resale={listing.resale_price} />
        {factsOf(listing)}
        {status === 'Reserved' && <p className="copy-waiting">{reservedLine(listing, standing)}</p>}
        <BookNow listing={listing} look="soft" />
      </div>
    </article>
  );
};
