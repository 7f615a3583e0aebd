import type { NavigateFunction } from 'react-router';
import { readSession, saveProfile, type SessionUser } from '#contract/users/identity.ts';
import { SOCIAL_NOTICES, type Provider } from '#contract/users/social.ts';
import { messageOf } from '#web/api/api-error.ts';
import { call } from '#web/api/call.ts';
import { beginSession } from '#web/api/session.ts';
import { fromQuery, leadsToBooking, returnPath } from '#web/shell/data/return-path.ts';
import { toast } from '#web/ui/toast/toast-store.ts';

interface Way {
  readonly provider: Provider;
  readonly outcome: 'signed-in' | 'signed-up';
}

/**
 * After somebody came back from a service as `signed-in` or `signed-up`: the page learns who they are and says so.
 * Undefined when nobody is signed in after all.
 */
export const welcome = async ({ provider, outcome }: Way): Promise<SessionUser | undefined> => {
  const { user } = await call(readSession, {});
  if (user === null) return undefined;
  await beginSession(user);
  const notice = SOCIAL_NOTICES[provider][outcome];
  if (outcome === 'signed-in') toast(notice, { text: `Welcome back, ${user.displayName}.` });
  else {
    toast(notice, { text: `Welcome to Dogear, ${user.displayName}.` });
    // The account has its name already; a profile that cannot be saved now must not hold anybody up.
    await call(saveProfile, { body: { name: user.displayName, email: user.email } }).catch((error: unknown) =>
      toast('Your profile was not saved', { tone: 'error', text: messageOf(error) }),
    );
  }
  return user;
};

/**
 * As `welcome`, and leads on: to where they came from, new people to the choice of their type first, unless they are
 * about to book, which makes them buyers. Answers false when nobody is signed in after all.
 */
export const arrive = async (way: Way & { from: string }, navigate: NavigateFunction): Promise<boolean> => {
  const user = await welcome(way);
  if (user === undefined) return false;
  const isNew = way.outcome === 'signed-up' || user.roles.length === 0;
  const isChoosing = isNew && !leadsToBooking(way.from);
  await navigate(isChoosing ? `/user_type${fromQuery(way.from)}` : returnPath(way.from), { replace: true });
  return true;
};
