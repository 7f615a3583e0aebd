import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Listing, ListingDetail, ListingStatus } from '#contract/catalog/catalog.ts';
import { postedTotal } from '#contract/delivery/delivery-words.ts';
import { formatDollars } from '#contract/money/money.ts';
import { wantPath, type Wanted } from '#web/shell/wants/want-path.ts';
import { BookNow } from '#web/storefront/booking/book-now.tsx';
import { standingNote } from '#web/storefront/booking/standing-note.tsx';
import { badgeText } from '#web/storefront/booking/standing-words.tsx';
import { useStanding } from '#web/storefront/booking/use-standing.ts';
import { Price } from '#web/storefront/lists/price.tsx';

const NOTE: Record<ListingStatus, string> = {
  Available: 'Booking reserves this copy for you for a short while. You pay by card after that.',
  Reserved:
    'Another reader has reserved this copy. If they do not pay in time, the first on the waiting list gets it, else it is on the shelf again.',
  Paused: 'Nobody else can see or book this copy until you put it back.',
  Sold: 'Another reader has bought this copy.',
};

/** What a copy says that a reader asked for before it came. */
const OFFERED =
  'Another reader asked for this book before it came and has it first. It is reserved for them a short while; whoever joins the waiting list has it next.';

/** Another copy of the same edition where it is known, else of the same title. */
const wantedOf = ({ isbn13, title, authors }: Listing): Wanted => ({ isbn: isbn13, title, author: authors });

/** What the copy is to everybody, or in the same place, and no higher, what it is to whoever looks. */
export const Note = ({ listing }: { listing: ListingDetail }) => {
  const own: ReactNode = standingNote(listing, useStanding(listing._id));
  return (
    <div className="grid text-sm text-muted sm:-mt-3 *:col-start-1 *:row-start-1">
      {own !== undefined && <p className="font-semibold text-base-content">{own}</p>}
      <p className={own === undefined ? undefined : 'invisible'}>
        {listing.offered ? OFFERED : NOTE[listing.status]}
        {listing.status !== 'Available' && (
          <>
            {' '}
            {listing.status !== 'Paused' && (
              <>
                <Link to={wantPath(wantedOf(listing))} className="text-link" rel="nofollow">
                  Tell me when there is another
                </Link>
                {' · '}
              </>
            )}
            <Link to={`/category/${encodeURIComponent(listing.category_id)}`} className="text-link">
              More books in {listing.category_name}
            </Link>
          </>
        )}
      </p>
    </div>
  );
};

/** What it costs with postage, before anybody decides. */
const Total = ({ listing }: { listing: ListingDetail }) => {
  const { resale_price: price, delivery } = listing;
  const total = postedTotal(price, delivery);
  if (total === undefined || listing.status === 'Sold') return null;
  return (
    <p className="font-semibold">
      {total === price ? `${formatDollars(total)} in all, postage included` : `${formatDollars(total)} with postage`}
      {delivery.pickup && total !== price && `, ${formatDollars(price)} if you pick it up`}
    </p>
  );
};

/** What it costs, how good it is, whether it is free, and how it comes to its buyer for how much. */
export const Offer = ({ listing, delivery }: { listing: ListingDetail; delivery: readonly string[] }) => (
  <div className="flex flex-col gap-3">
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <Price original={listing.original_price} resale={listing.resale_price} large />
      <p className="flex flex-wrap gap-2">
        <Link to="/grading" className="badge h-7 border-base-300 bg-base-200 px-3 font-semibold text-base-content">
          <span className="sr-only">Condition: </span>
          {listing.condition}
        </Link>
        <Availability listing={listing} />
      </p>
    </div>
    <div className="text-sm">
      {listing.reduced_from !== null && (
        <p className="font-semibold text-success">Reduced from {formatDollars(listing.reduced_from)}</p>
      )}
      <Total listing={listing} />
      <ul aria-label="Delivery" className="text-muted">
        {delivery.map((line) => (
          <li key={line} dir="auto">
            {line}
          </li>
        ))}
      </ul>
    </div>
  </div>
);

const Availability = ({ listing }: { listing: Listing }) => {
  const standing = useStanding(listing._id);
  return (
    <span className="inline-flex items-center gap-2 text-sm font-medium">
      <span
        aria-hidden="true"
        className={`size-2.5 rounded-full ${listing.status === 'Available' ? 'bg-success' : 'bg-muted'}`}
      />
      {badgeText(listing, standing)}
    </span>
  );
};

/**
 * What can be done about the copy. On a phone it stands at the foot of the window, with the price, until all that is
 * told of the copy was passed.
 */
export const BuyBar = ({ listing }: { listing: Listing }) => (
  <div className="buy-bar">
    {listing.status === 'Available' && (
      <p aria-hidden="true" className="buy-bar-price leading-tight">
        <b className="block font-serif text-xl">{formatDollars(listing.resale_price)}</b>
        <span className="text-sm text-muted">{listing.condition}</span>
      </p>
    )}
    <div className="min-w-0 flex-[1_1_7rem]">
      <BookNow listing={listing} look="primary" />
    </div>
  </div>
);
