import { useEffect, useSyncExternalStore } from 'react';
import { useRevalidator } from 'react-router';
import { currentUser, sessionState, subscribeToSession, unknownSession, type SessionState } from '#web/api/session.ts';

/** Who is signed in: `{ status: 'loading' | 'in' | 'out' }`, with the `user` when somebody is. */
export const useSession = (): SessionState => useSyncExternalStore(subscribeToSession, sessionState, unknownSession);

const personOf = (state: SessionState): string => (state.status === 'in' ? state.user.uid : state.status);

/**
 * Asks once who is signed in, and reloads what is on the page when that changes, here or in another tab: lists are read
 * again as the new person, and the guard of a private page leads to the sign-in page.
 */
export const useSessionWatch = (): void => {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    let person = personOf(sessionState());
    const stop = subscribeToSession(() => {
      const next = personOf(sessionState());
      const changed = person !== 'loading' && person !== next;
      person = next;
      if (changed) void revalidate();
    });
    // Unreachable: the header keeps what the head script guessed, and the next call asks again.
    currentUser().catch(() => undefined);
    return stop;
  }, [revalidate]);
};
