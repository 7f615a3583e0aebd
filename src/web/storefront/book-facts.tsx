import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Listing } from '#contract/catalog.ts';
import { VerifiedIcon } from '#web/ui/icons.tsx';
import { dayOf, yearsOfUse, yearText } from './listing-words.ts';

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="grid grid-cols-[8rem_minmax(0,1fr)] gap-3 border-t border-base-300 py-2.5">
    <dt className="text-muted">{name}</dt>
    <dd className="break-words">{children}</dd>
  </div>
);

const Seller = ({ listing }: { listing: Listing }) => (
  <span className="inline-flex max-w-full items-center gap-1.5">
    <span className="min-w-0 break-words">{listing.Seller}</span>
    {listing.seller_verified && (
      <span title="Verified seller" className="shrink-0 text-primary">
        <VerifiedIcon className="size-4" />
        <span className="sr-only">Verified seller</span>
      </span>
    )}
  </span>
);

/** Everything else that is known of a copy; what is not known is left out. */
export const BookFacts = ({ listing }: { listing: Listing }) => (
  <dl className="border-b border-base-300">
    <Fact name="Condition">{listing.condition}</Fact>
    <Fact name="Use">{yearsOfUse(listing.years_of_use)}</Fact>
    <Fact name="Location">{listing.location}</Fact>
    <Fact name="Seller">
      <Seller listing={listing} />
    </Fact>
    <Fact name="Category">
      <Link to={`/category/${encodeURIComponent(listing.category_id)}`} className="text-link">
        {listing.category_name}
      </Link>
    </Fact>
    {listing.published_year !== null && <Fact name="Published">{yearText(listing.published_year)}</Fact>}
    {listing.publisher !== '' && <Fact name="Publisher">{listing.publisher}</Fact>}
    {listing.isbn13 !== '' && <Fact name="ISBN">{listing.isbn13}</Fact>}
    <Fact name="Listed">
      <time dateTime={listing.published_date}>{dayOf(listing.published_date)}</time>
    </Fact>
  </dl>
);
