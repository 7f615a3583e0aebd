import { lazy, Suspense } from 'react';
import { useLocation } from 'react-router';
import type { Listing } from '#contract/catalog/catalog.ts';
import { useSession } from '#web/shell/data/use-session.ts';

const OwnHeart = lazy(async () => ({ default: (await import('./heart.tsx')).OwnHeart }));

/** The heart of a copy among others: it comes once it is known who looks, and no page is the heavier for it. */
export const CardHeart = ({ listing }: { listing: Pick<Listing, '_id' | 'title'> }) => {
  const { status } = useSession();
  const { pathname, search } = useLocation();
  if (status === 'loading') return null;
  if (status === 'in')
    return (
      <Suspense>
        <OwnHeart listing={listing} isAlone />
      </Suspense>
    );
  return (
    <a href={`/login?from=${encodeURIComponent(pathname + search)}`} className="heart" rel="nofollow">
      <span className="sr-only">Remember {listing.title}</span>
    </a>
  );
};
