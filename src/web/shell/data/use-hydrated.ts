import { useSyncExternalStore } from 'react';

const never = (): (() => void) => () => undefined;

/** Whether the page's scripts have taken over: what needs them waits until then. */
export const useHydrated = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
