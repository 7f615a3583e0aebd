import type { NavigateFunction } from 'react-router';
import { readSession, saveProfile } from '#contract/users/identity.ts';
import { SOCIAL_NOTICES, type Provider } from '#contract/users/social.ts';
import { messageOf } from '#web/api/api-error.ts';
import { call } from '#web/api/call.ts';
import { beginSession } from '#web/api/session.ts';
import { fromQuery, returnPath } from '#web/shell/data/return-path.ts';
import { toast } from '#web/ui/toast-store.ts';

/**
 * After somebody came back from a service as `signed-in` or `signed-up`: the page learns who they are, says so, and
 * leads on, new people to the choice of their type. Answers false when nobody is signed in after all.
 */
export const arrive = async (
  way: { provider: Provider; outcome: 'signed-in' | 'signed-up'; from: string },
  navigate: NavigateFunction,
): Promise<boolean> => {
  const { user } = await call(readSession, {});
  if (user === null) return false;
  await beginSession(user);
  const notice = SOCIAL_NOTICES[way.provider][way.outcome];
  if (way.outcome === 'signed-in') toast(notice, { text: `Welcome back, ${user.displayName}.` });
  else {
    toast(notice, { text: `Welcome to Dogear, ${user.displayName}.` });
    // The account has its name already; a profile that cannot be saved now must not hold anybody up.
    await call(saveProfile, { body: { name: user.displayName, email: user.email } }).catch((error: unknown) =>
      toast('Your profile was not saved', { tone: 'error', text: messageOf(error) }),
    );
  }
  const isChoosing = way.outcome === 'signed-up' || user.roles.length === 0;
  await navigate(isChoosing ? `/user_type${fromQuery(way.from)}` : returnPath(way.from), { replace: true });
  return true;
};
