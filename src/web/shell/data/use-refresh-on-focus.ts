import { useEffect } from 'react';
import { useRevalidator } from 'react-router';
import { forgetRoles } from '#web/api/known-roles.ts';
import { refreshSession } from '#web/api/session.ts';

/**
 * Reads the page's data again when the person comes back to it: others may have booked, paid or changed something, or
 * their own roles may be others now. The shop is asked who they are first, so that one that cannot be reached leaves
 * the page as it is.
 */
export const useRefreshOnFocus = (): void => {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    let asking = false;
    const refresh = async (): Promise<void> => {
      if (asking || document.visibilityState === 'hidden') return;
      // Coming back to a tab of a window in the background is told twice.
      asking = true;
      try {
        await refreshSession();
        forgetRoles();
        await revalidate();
      } catch {
        // Unreachable: what is on the page is still the best there is.
      } finally {
        asking = false;
      }
    };
    const onReturn = (): void => void refresh();
    addEventListener('focus', onReturn);
    document.addEventListener('visibilitychange', onReturn);
    return () => {
      removeEventListener('focus', onReturn);
      document.removeEventListener('visibilitychange', onReturn);
    };
  }, [revalidate]);
};
