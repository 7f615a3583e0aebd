import { Link } from 'react-router';
import type { ListingDetail } from '#contract/catalog/catalog.ts';
import { VerifiedMark } from '#web/ui/verified-mark.tsx';
import { SellerContact } from './seller-contact.tsx';

/** Who sells the copy, where they are, what else they have and how they are reached. */
export const SellerCard = ({ listing }: { listing: ListingDetail }) => (
  <section
    aria-labelledby="seller"
    className="flex flex-col gap-4 rounded-box border border-base-300 bg-base-200 p-4 sm:p-5"
  >
    <div>
      <p className="text-sm text-muted">Sold by</p>
      <h2 id="seller" className="flex items-center gap-1.5 font-serif text-xl font-semibold">
        <span dir="auto" className="min-w-0 break-words">
          {listing.Seller}
        </span>
        {listing.seller_verified && <VerifiedMark size="size-5" />}
      </h2>
      <p dir="auto" className="break-words">
        {listing.location}
      </p>
      <Link to={`/search?seller=${listing.seller_id}`} className="text-link">
        All books of this seller
      </Link>
    </div>
    <SellerContact listing={listing} />
  </section>
);
