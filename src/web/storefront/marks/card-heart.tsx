import { lazy, Suspense } from 'react';
import type { Listing } from '#contract/catalog/catalog.ts';
import { useSession } from '#web/shell/data/use-session.ts';

const OwnHeart = lazy(async () => ({ default: (await import('./heart.tsx')).OwnHeart }));

/**
 * The heart of a copy among others, for whoever is signed in; a stranger finds it on the copy's page. No page is the
 * heavier for it.
 */
export const CardHeart = ({ listing }: { listing: Pick<Listing, '_id' | 'title'> }) =>
  useSession().status === 'in' ? (
    <Suspense>
      <OwnHeart listing={listing} isAlone />
    </Suspense>
  ) : null;
