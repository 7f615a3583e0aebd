import { useSyncExternalStore } from 'react';
import { countUnreadNotices } from '#contract/notices/notices.ts';
import { call } from '#web/api/call.ts';

let unread = 0;
const listeners = new Set<() => void>();

const tell = (count: number): void => {
  unread = count;
  for (const listener of listeners) listener();
};

/** Asks how much is new; what cannot be asked leaves the number as it is. */
export const refreshUnread = async (): Promise<void> => {
  try {
    tell((await call(countUnreadNotices, {})).unread);
  } catch {
    // The bell is no place for errors: the page says what is wrong.
  }
};

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** How many notices are new to whoever is signed in; 0 until that is known. */
export const useUnread = (): number =>
  useSyncExternalStore(
    subscribe,
    () => unread,
    () => 0,
  );
