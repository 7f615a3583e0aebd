import { data, redirect } from 'react-router';
import type { Role, SessionUser } from '#contract/identity.ts';
import { ApiError } from '#web/api/api-error.ts';
import { browserApi } from '#web/api/call.ts';
import type { Api } from '#web/api/client.ts';
import { currentUser, refreshSession } from '#web/api/session.ts';
import { throwForRouter, type LoadFailure } from './load.ts';
import { fromQuery } from './return-path.ts';

const PLACE_OF: Record<Role, string> = {
  buyer: 'This page is for buyers.',
  seller: 'This page is for sellers.',
  admin: 'This page is for admins.',
};

const toSignIn = (request: Request): Response => {
  const url = new URL(request.url);
  return redirect(`/login${fromQuery(`${url.pathname}${url.search}`)}`);
};

/** For a `clientLoader`: whoever is signed in; everybody else is sent to the sign-in page, which leads back here. */
export const requireUser = async (request: Request): Promise<SessionUser> => {
  const user = await currentUser().catch(throwForRouter);
  if (user === null) throw toSignIn(request);
  return user;
};

/** As `requireUser`, for people with `role`; others get the error page saying whom the page is for. */
export const requireRole = async (request: Request, role: Role): Promise<SessionUser> => {
  const user = await requireUser(request);
  if (user.roles.includes(role)) return user;
  // The role may have been given a moment ago, elsewhere.
  const fresh = await refreshSession().catch(throwForRouter);
  if (fresh === null) throw toSignIn(request);
  if (fresh.roles.includes(role)) return fresh;
  const failure: LoadFailure = { message: PLACE_OF[role], code: 'forbidden', requestId: undefined };
  throw data(failure, { status: 403 });
};

/** For a `clientLoader`: loads as whoever is signed in (with `role`, where given); refusals become the error page. */
export const loadSignedIn = async <T>(
  request: Request,
  load: (api: Api, user: SessionUser) => Promise<T>,
  role?: Role,
): Promise<T> => {
  const user = role === undefined ? await requireUser(request) : await requireRole(request, role);
  try {
    return await load(browserApi, user);
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) throw toSignIn(request);
    return throwForRouter(error);
  }
};
