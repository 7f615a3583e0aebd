import { lazy, Suspense } from 'react';
import type { Listing } from '#contract/catalog/catalog.ts';
import { useSession } from '#web/shell/data/use-session.ts';

const TakeDownSection = lazy(async () => ({ default: (await import('./take-down-section.tsx')).TakeDownSection }));

/**
 * Lets an admin take a copy out of the shop. The page itself is the same for everyone: this comes once it is known who
 * reads it, with scripts of its own.
 */
export const TakeDown = ({ listing }: { listing: Listing }) => {
  const session = useSession();
  if (session.status !== 'in' || !session.user.roles.includes('admin')) return null;
  return (
    <Suspense>
      <TakeDownSection listing={listing} />
    </Suspense>
  );
};
