import { PROVIDER_NAMES, type Link, type Provider } from '#contract/users/social.ts';
import { requireFreshSignIn } from '#server/identity/sessions/fresh-sign-in.policy.ts';
import { deleteSessionsBegunBy } from '#server/identity/sessions/sessions.queries.ts';
import { ownWaysIn, requireAnotherWayIn, wayInName } from '#server/identity/sessions/ways-in.service.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { forbidden, AppError } from '#server/platform/errors.ts';
import { requireSignedIn, type Viewer } from '#server/platform/viewer.ts';
import { beginFlow, type SocialDeps, type WayCookie } from './flow.service.ts';
import { deleteIdentity, listLinksOf } from './identities.queries.ts';
import { SocialRefusal } from './provider.ts';

/** The accounts at services that open the viewer's. */
export const listLinks = (db: Db, viewer: Viewer): Promise<Link[]> => listLinksOf(db, requireSignedIn(viewer).userId);

const refusalOf = (error: unknown, provider: Provider): unknown => {
  if (!(error instanceof SocialRefusal)) return error;
  const name = PROVIDER_NAMES[provider];
  if (error.failure === 'closed') return new AppError('not_found', `This shop is not set up for ${name}`);
  return new AppError('provider_unavailable', `${name} does not answer at the moment; please try again in a minute`);
};

/**
 * Begins to link an account at a service to the viewer's; answers where the browser goes. Refused while nobody knows
 * whose the viewer's address is: the owner of the address, once they came, would share the account with whoever linked
 * theirs before.
 */
export const startLink = async (
  deps: SocialDeps,
  viewer: Viewer,
  input: { provider: Provider; popup: boolean; browser: string | undefined },
): Promise<{ location: string; cookie: WayCookie }> => {
  const user = requireFreshSignIn(viewer);
  if (user.emailProvenAt === null) {
    throw forbidden('Please confirm your email address first: only an address that is yours can be linked');
  }
  const links = await listLinksOf(deps.db, user.userId);
  if (links.some((link) => link.provider === input.provider)) {
    throw new AppError('already_exists', `An account at ${PROVIDER_NAMES[input.provider]} is linked already`);
  }
  const flow = {
    purpose: 'link',
    userId: user.userId,
    page: 'account',
    inPopup: input.popup,
    returnPath: '',
  } as const;
  return beginFlow(deps, input.provider, flow, input.browser).catch((error: unknown) => {
    throw refusalOf(error, input.provider);
  });
};

/**
 * Unlinks the viewer's account at a service, and ends the other sessions that began by it; answers how many were. 409
 * when it is their only way to sign in.
 */
export const unlink = (db: Db, viewer: Viewer, provider: Provider): Promise<number> => {
  const user = requireFreshSignIn(viewer);
  return db.transaction().execute(async (trx) => {
    await ownWaysIn(trx, user);
    const links = await listLinksOf(trx, user.userId);
    if (!links.some((link) => link.provider === provider)) return 0;
    await requireAnotherWayIn(trx, user.userId);
    await deleteSessionsBegunBy(trx, user.userId, wayInName({ kind: provider }), user.sessionId);
    return deleteIdentity(trx, user.userId, provider);
  });
};
