import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { ListingDetail } from '#contract/catalog/catalog.ts';
import { Time } from '#web/shell/data/time.tsx';
import { editionPath } from '#web/storefront/edition/addresses.ts';
import { yearsOfUse, yearText } from '#web/storefront/lists/listing-words.ts';

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="flex flex-wrap gap-x-3 border-t border-base-300 py-2.5">
    <dt className="w-32 max-w-full text-muted">{name}</dt>
    <dd className="min-w-[min(8rem,100%)] flex-1 break-words">{children}</dd>
  </div>
);

/** What else is known of a copy than what stands above it; what is not known is left out. */
export const BookFacts = ({ listing }: { listing: ListingDetail }) => {
  const use = yearsOfUse(listing);
  return (
    <dl className="border-b border-base-300">
      {use !== undefined && <Fact name="Use">{use}</Fact>}
      <Fact name="Category">
        <Link to={`/category/${encodeURIComponent(listing.category_id)}`} className="text-link">
          {listing.category_name}
        </Link>
      </Fact>
      {listing.published_year !== null && <Fact name="Published">{yearText(listing.published_year)}</Fact>}
      {listing.publisher !== '' && <Fact name="Publisher">{listing.publisher}</Fact>}
      {listing.isbn13 !== '' && (
        <Fact name="ISBN">
          <a href={editionPath(listing.isbn13)} className="text-link">
            {listing.isbn13}
          </a>
        </Fact>
      )}
      <Fact name="Listed">
        <Time at={listing.published_date} as="date" />
      </Fact>
    </dl>
  );
};
