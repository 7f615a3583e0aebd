import { useSyncExternalStore } from 'react';
import { useRouteLoaderData } from 'react-router';
import { ownTimeZone } from '#contract/time.ts';
import type { RootData } from '#web/shell/layout/page-meta.ts';

const never = (): (() => void) => () => undefined;
/** Where neither the browser nor the document, which failed before it knew anything, tells one. */
const FALLBACK = 'UTC';

let own: string | undefined;

/** The zone of whoever reads, for what is written by scripts only, such as a toast. */
export const readersTimeZone = (): string => (own ??= ownTimeZone() ?? FALLBACK);

/**
 * The zone to write times in: the shop's while the page is as the server made it for everyone, then the reader's own.
 */
export const useTimeZone = (): string => {
  const shops = useRouteLoaderData<RootData>('root')?.timeZone ?? FALLBACK;
  return useSyncExternalStore(
    never,
    () => (own ??= ownTimeZone() ?? shops),
    () => shops,
  );
};
