import { lazy, Suspense, useState, useSyncExternalStore, type ReactNode } from 'react';
import type { TitleStock } from '#contract/catalog/editions/popular.ts';
import type { ShopTexts } from '#contract/law/texts.ts';
import type * as unchanging from './unchanging.tsx';

type Unchanging = typeof unchanging;

/** The server has no time to wait while it renders. */
let loaded: Unchanging | undefined = import.meta.env.SSR ? await import('./unchanging.tsx') : undefined;

/** Loads what of the page does not change while one looks at it: only where the browser makes it, and beforehand. */
export const loadUnchanging = async (): Promise<Unchanging> => (loaded ??= await import('./unchanging.tsx'));

/** Where nobody loaded it beforehand. */
const late = {
  HouseRules: lazy(async () => ({ default: (await loadUnchanging()).HouseRules })),
  ShopWindow: lazy(async () => ({ default: (await loadUnchanging()).ShopWindow })),
};

const never = () => () => {};
const no = (): boolean => false;
const yes = (): boolean => true;

/**
 * A part of the page as the server wrote it: nothing in it is to be made alive or changes while one looks at it, so it
 * stays as it is found, and a visitor loads no script for it.
 */
const written = <P extends object>(partOf: (props: P) => ReactNode, className?: string) => {
  const Written = (props: P) => {
    // While React finds what the server wrote, and not where it makes the page anew because it found something else.
    const isFound = useSyncExternalStore(never, no, yes);
    const [isWritten] = useState(isFound);
    if (import.meta.env.SSR) return <div className={className}>{partOf(props)}</div>;
    // React sets no text of an element that it finds.
    if (isWritten)
      return <div className={className} dangerouslySetInnerHTML={{ __html: '' }} suppressHydrationWarning />;
    return (
      <div className={className}>
        <Suspense>{partOf(props)}</Suspense>
      </div>
    );
  };
  return Written;
};

export const WrittenHouseRules = written(
  (props: { fees: string | undefined; texts: ShopTexts }) =>
    loaded === undefined ? <late.HouseRules {...props} /> : <loaded.HouseRules {...props} />,
  'page grid gap-12 py-12 lg:grid-cols-2',
);
export const WrittenWindow = written(({ stock }: { stock: readonly TitleStock[] }) =>
  loaded === undefined ? <late.ShopWindow stock={stock} /> : <loaded.ShopWindow stock={stock} />,
);
