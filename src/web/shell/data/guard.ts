import { data, redirect } from 'react-router';
import type { Role, SessionUser } from '#contract/users/identity.ts';
import { ApiError } from '#web/api/api-error.ts';
import { browserApi } from '#web/api/call.ts';
import type { Api } from '#web/api/client.ts';
import { hasRole, rolesOf } from '#web/api/roles.ts';
import { currentUser, refreshSession } from '#web/api/session.ts';
import { throwForRouter, type LoadFailure, type Missing } from './load.ts';
import { fromQuery } from './return-path.ts';
import { withLastKnownGood } from './last-known-good.ts';

/** Anybody may become a buyer or a seller, and comes back here; admins are made by admins. */
const PLACE_OF: Record<Role, Missing> = {
  buyer: { message: 'This page is for buyers.', next: { to: '/user_type', label: 'Become a buyer' } },
  seller: { message: 'This page is for sellers.', next: { to: '/user_type', label: 'Become a seller' } },
  admin: { message: 'This page is for admins.', next: { to: '/dashboard', label: 'Your dashboard' } },
};

const toSignIn = (request: Request): Response => {
  const url = new URL(request.url);
  return redirect(`/login${fromQuery(`${url.pathname}${url.search}`)}`);
};

/** In production admins confirm with their passkey before they act; the page that asks for it leads back here. */
const toSecondFactor = (request: Request): Response => {
  const url = new URL(request.url);
  return redirect(`/dashboard/admin_passkey${fromQuery(`${url.pathname}${url.search}`)}`);
};

/** For a `clientLoader`: whoever is signed in; everybody else is sent to the sign-in page, which leads back here. */
export const requireUser = async (request: Request): Promise<SessionUser> => {
  const user = await currentUser().catch((error: unknown) => throwForRouter(error));
  if (user === null) throw toSignIn(request);
  return user;
};

/** Nobody is turned away because the shop could not be asked: the error page says so and asks again. */
const notAsked = (error: unknown): never => {
  if (!(error instanceof ApiError)) throw error;
  const failure: LoadFailure = {
    message: `We could not check which pages are yours. ${error.message}`,
    code: error.code,
    requestId: error.requestId,
    canRetry: true,
  };
  throw data(failure, { status: error.status < 400 ? 503 : error.status });
};

/** What `work` answers; a session that is over leads to the sign-in page, and from there back here. */
const orSignIn = async <T>(request: Request, work: Promise<T>): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) throw toSignIn(request);
    throw error;
  }
};

const admitted = async (request: Request, user: SessionUser, role: Role): Promise<SessionUser> => {
  if (await hasRole(user, role)) return user;
  // The session may be over, or the role have been given a moment ago, elsewhere.
  const fresh = await refreshSession();
  if (fresh === null) throw toSignIn(request);
  if (fresh.roles.includes(role) && (await hasRole(fresh, role))) return fresh;
  const { message, next } = PLACE_OF[role];
  const { pathname, search } = new URL(request.url);
  const to = next.to === '/user_type' ? `${next.to}${fromQuery(`${pathname}${search}`)}` : next.to;
  const failure: LoadFailure = { message, next: { ...next, to }, code: 'forbidden', requestId: undefined };
  throw data(failure, { status: 403 });
};

/**
 * As `requireUser`, for people who have `role`, as the shop says when asked; others get the error page saying whom the
 * page is for.
 */
export const requireRole = async (request: Request, role: Role): Promise<SessionUser> => {
  const user = await requireUser(request);
  const work = withLastKnownGood(`${role} ${user.uid}`, () => admitted(request, user, role));
  return orSignIn(request, work).catch(notAsked);
};

/** As `requireUser`, with all roles the shop says they have. */
export const requireRoles = async (request: Request): Promise<{ user: SessionUser; roles: readonly Role[] }> => {
  const user = await requireUser(request);
  const work = withLastKnownGood(`roles ${user.uid}`, () => rolesOf(user));
  return { user, roles: await orSignIn(request, work).catch(notAsked) };
};

/**
 * For a `clientLoader`: loads as whoever is signed in (with `role`, where given); refusals become the error page. Whose
 * session says they have the role is not kept waiting for the answer: the page is loaded meanwhile, and shown when it
 * is a yes. What is not there is told in the words of `missing`.
 */
export const loadSignedIn = async <T>(
  request: Request,
  load: (api: Api, user: SessionUser) => Promise<T>,
  role?: Role,
  missing?: Missing,
): Promise<T> => {
  const user = await requireUser(request);
  const entry = role === undefined ? Promise.resolve(user) : requireRole(request, role);
  if (role !== undefined && !user.roles.includes(role)) await entry;
  const page = withLastKnownGood(`${user.uid} ${request.url}`, () => load(browserApi, user)).catch((error: unknown) => {
    if (error instanceof ApiError && error.code === 'second_factor_needed') throw toSecondFactor(request);
    throw error;
  });
  // Both are under way: the guard's word goes first, and neither may fail unheard.
  const [admission, loaded] = await Promise.allSettled([entry, orSignIn(request, page)]);
  if (admission.status === 'rejected') throw admission.reason;
  return loaded.status === 'fulfilled' ? loaded.value : throwForRouter(loaded.reason, missing);
};
