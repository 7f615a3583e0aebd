import { useEffect, useSyncExternalStore } from 'react';
import { useRevalidator } from 'react-router';
import { currentUser, sessionState, subscribeToSession, unknownSession, type SessionState } from '#web/api/session.ts';
import { toast } from '#web/ui/toast/toast-store.ts';
import { forgetDrafts, hasDrafts } from '#web/shell/forms/drafts.ts';
import { forgetLastKnownGood } from './last-known-good.ts';

/** Who is signed in: `{ status: 'loading' | 'in' | 'out' }`, with the `user` when somebody is. */
export const useSession = (): SessionState => useSyncExternalStore(subscribeToSession, sessionState, unknownSession);

const userOf = (state: SessionState): string => (state.status === 'in' ? state.user.uid : state.status);

/** What was typed stays for whoever typed it, as long as they did not sign out themselves. */
const clearUp = (state: SessionState): void => {
  forgetLastKnownGood();
  if (state.status === 'in') return forgetDrafts(state.user.uid);
  if (state.status === 'out' && state.asked === true) return forgetDrafts();
  const kept = hasDrafts() ? ' What you typed is kept until you are back.' : '';
  toast('Please sign in again', { tone: 'info', text: `Your session has ended.${kept}` });
};

/** Only the signed-in have a zone to tell: what tells it is loaded for them. */
const tellZone = (state: SessionState): void => {
  if (state.status !== 'in') return;
  import('./tell-time-zone.ts').then(({ tellTimeZone }) => tellTimeZone(state)).catch(() => undefined);
};

/**
 * Asks once who is signed in, and reloads what is on the page when that changes, here or in another tab: lists are read
 * again as the new person, and the guard of a private page leads to the sign-in page. The shop is told the zone of
 * their clock.
 */
export const useSessionWatch = (): void => {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    let user = userOf(sessionState());
    tellZone(sessionState());
    const stop = subscribeToSession(() => {
      const next = userOf(sessionState());
      const changed = user !== next;
      const wasKnown = user !== 'loading';
      user = next;
      tellZone(sessionState());
      if (changed && (wasKnown || next !== 'out')) clearUp(sessionState());
      if (changed && wasKnown) void revalidate();
    });
    // Unreachable: the header keeps what the head script guessed, and the next call asks again.
    currentUser().catch(() => undefined);
    return stop;
  }, [revalidate]);
};
