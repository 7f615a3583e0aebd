import { lazy, Suspense, useState, useSyncExternalStore, type ComponentType } from 'react';

/** Loads what never changes of the page; needed only where the browser makes the page itself. */
export const loadUnchanging = () => import('./unchanging.tsx');

const parts = import.meta.env.SSR
  ? // The server has no time to wait while it renders.
    await loadUnchanging()
  : {
      HouseRules: lazy(async () => ({ default: (await loadUnchanging()).HouseRules })),
      ShopWindow: lazy(async () => ({ default: (await loadUnchanging()).ShopWindow })),
    };

const never = () => () => {};
const no = (): boolean => false;
const yes = (): boolean => true;

/**
 * A part of the page as the server wrote it: it never changes and nothing in it is to be made alive, so it stays as it
 * is found, and a visitor loads no script for it.
 */
const written = <P extends object>(Part: ComponentType<P>, className?: string) => {
  const Written = (props: P) => {
    // While React finds what the server wrote, and not where it makes the page anew because it found something else.
    const isFound = useSyncExternalStore(never, no, yes);
    const [isWritten] = useState(isFound);
    if (import.meta.env.SSR)
      return (
        <div className={className}>
          <Part {...props} />
        </div>
      );
    // React sets no text of an element that it finds.
    if (isWritten)
      return <div className={className} dangerouslySetInnerHTML={{ __html: '' }} suppressHydrationWarning />;
    return (
      <div className={className}>
        <Suspense>
          <Part {...props} />
        </Suspense>
      </div>
    );
  };
  return Written;
};

export const WrittenHouseRules = written(parts.HouseRules, 'page grid gap-12 py-12 lg:grid-cols-2');
export const WrittenWindow = written(parts.ShopWindow);
