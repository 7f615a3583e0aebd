import { lazy, Suspense, type ComponentType } from 'react';
import type { Listing } from '#contract/catalog/catalog.ts';
import { useSession } from '#web/shell/data/use-session.ts';

/** Where it cannot be loaded, the page stays what it is for everybody else. */
const TakeDownSection = lazy<ComponentType<{ listing: Listing }>>(async () => {
  const part = await import('./take-down-section.tsx').catch(() => undefined);
  return { default: part?.TakeDownSection ?? (() => null) };
});

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
