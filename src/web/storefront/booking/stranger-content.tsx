import { useLocation } from 'react-router';
import { formatDollars } from '#contract/money/money.ts';
import { AccountWays } from '#web/shell/sign-in/account-ways.tsx';
import { Cover } from '#web/ui/cover.tsx';
import type { StrangerContentProps } from './booking-state.ts';
import { SoldNotice } from './sold-notice.tsx';

/** In the place of the booking form for somebody who is not signed in: it follows as soon as they are. */
export const StrangerContent = ({ listing, ways, onClose }: StrangerContentProps) => {
  const { pathname, search } = useLocation();
  if (listing.status === 'Sold') return <SoldNotice onClose={onClose} />;
  return (
    <div className="flex flex-col gap-5">
      <div className="flex items-center gap-4">
        <Cover
          title={listing.title}
          authors={listing.authors}
          imageUrl={listing.image_url}
          eager
          decorative
          className="w-14 shrink-0"
        />
        <p className="min-w-0">
          <span dir="auto" className="line-clamp-2 font-serif text-lg leading-snug font-semibold break-words">
            {listing.title}
          </span>
          <span className="text-sm text-muted">
            {listing.status === 'Reserved'
              ? 'Join its waiting list right after this.'
              : `Book it for ${formatDollars(listing.resale_price)} right after this.`}
          </span>
        </p>
      </div>
      <AccountWays from={`${pathname}${search}`} ways={ways} />
    </div>
  );
};
