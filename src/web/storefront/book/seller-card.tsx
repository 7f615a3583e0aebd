import { Link } from 'react-router';
import type { ListingDetail } from '#contract/catalog/catalog.ts';
import { SELLS_AS_WORDS } from '#contract/law/withdrawal.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { MailIcon } from '#web/ui/icons.tsx';
import { reportPath } from '#web/shell/data/report-path.ts';
import { VerifiedMark } from '#web/ui/verified-mark.tsx';
import { sellerPath } from '#web/storefront/lists/listing-words.ts';

/** Who sells the copy, where they are, what else they have and how to ask them. */
export const SellerCard = ({ listing }: { listing: ListingDetail }) => (
  <section
    aria-labelledby="seller"
    className="flex flex-col gap-4 rounded-box border border-base-300 bg-base-200 p-4 sm:p-5"
  >
    <div>
      <p className="text-sm text-muted">Sold by</p>
      <h2 id="seller" className="flex items-center gap-1.5 font-serif text-xl font-semibold">
        <a dir="auto" href={sellerPath(listing.seller_slug)} className="min-w-0 break-words text-link">
          {listing.Seller}
        </a>
        {listing.seller_verified && <VerifiedMark size="size-5" />}
      </h2>
      <p dir="auto" className="break-words">
        {listing.location}
      </p>
      <p className="my-2 text-sm text-muted">
        {SELLS_AS_WORDS[listing.seller_sells_as]}{' '}
        {listing.seller_sells_as === 'trader' && (
          <a href={`${sellerPath(listing.seller_slug)}#sells-as`} className="text-link">
            Who they are
          </a>
        )}
      </p>
      <Link to={`/search?seller=${listing.seller_id}`} className="text-link">
        All books of this seller
      </Link>
    </div>
    {listing.status !== 'Sold' && (
      <a href={`/dashboard/messages?about=${listing._id}`} className={buttonClass('secondary', 'md', 'self-start')}>
        <MailIcon className="size-5" />
        Message the seller
      </a>
    )}
    <a href={reportPath('copy', listing._id)} rel="nofollow" className="self-start py-1 text-sm text-link">
      Report this book
    </a>
  </section>
);
