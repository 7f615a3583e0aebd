import { useCallback, useSyncExternalStore } from 'react';
import type { Standing } from '#contract/bookings/standing.ts';
import { standingTo, watchStanding } from './standings.ts';

const nobodys = (): undefined => undefined;

/** How whoever is signed in stands to a copy; undefined while that is not known, and when it is nothing to them. */
export const useStanding = (id: string): Standing | undefined => {
  const watch = useCallback((listener: () => void) => watchStanding(id, listener), [id]);
  return useSyncExternalStore(watch, () => standingTo(id), nobodys);
};
